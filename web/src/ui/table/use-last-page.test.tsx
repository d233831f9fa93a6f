import { renderHook } from "@testing-library/react"
import { expect, test } from "vitest"
import { useLastPage } from "./use-last-page"

const settled = { isFetching: false, isPlaceholderData: false }
const pages = (totalPages: number) => ({ pagination: { totalPages } })

function turnsOf(query: Parameters<typeof useLastPage>[0], page: number) {
  const turns: number[] = []
  const { result } = renderHook(() => useLastPage(query, page, (last) => turns.push(last)))
  return { turns, last: result.current }
}

test("a page past the last one turns back to it, and to the first when nothing is left", () => {
  expect(turnsOf({ data: pages(2), ...settled }, 3)).toEqual({ turns: [2], last: 2 })
  expect(turnsOf({ data: pages(0), ...settled }, 2)).toEqual({ turns: [1], last: 1 })
  expect(turnsOf({ data: pages(2), ...settled }, 2).turns).toEqual([])
})

test("only a new answer turns back: neither a kept one, nor rows of another view, nor none", () => {
  expect(turnsOf({ data: pages(1), ...settled, isFetching: true }, 2).turns).toEqual([])
  expect(turnsOf({ data: pages(1), ...settled, isPlaceholderData: true }, 2).turns).toEqual([])
  expect(turnsOf({ data: undefined, ...settled }, 2)).toEqual({ turns: [], last: 2 })
})
