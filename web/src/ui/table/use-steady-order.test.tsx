import { renderHook } from "@testing-library/react"
import { expect, test } from "vitest"
import { inOrderOf, useSteadyOrder } from "./use-steady-order"

const idOf = (row: string) => row.charAt(0)

test("rows that change keep their places", () => {
  const ordered = inOrderOf(["a", "b", "c"], ["c9", "b2", "a1"], idOf)

  expect(ordered).toEqual(["a1", "b2", "c9"])
})

test("a row that comes in takes the place of one that left", () => {
  const ordered = inOrderOf(["a", "b", "c"], ["d4", "c3", "a1"], idOf)

  expect(ordered).toEqual(["a1", "d4", "c3"])
})

test("new rows are at the end", () => {
  const ordered = inOrderOf(["a"], ["c3", "b2", "a1"], idOf)

  expect(ordered).toEqual(["a1", "c3", "b2"])
})

test("another view brings its own order", () => {
  const { result, rerender } = renderHook(({ rows, view }) => useSteadyOrder(rows, idOf, view), {
    initialProps: { rows: ["a1", "b2"], view: "name" },
  })

  rerender({ rows: ["b9", "a1"], view: "name" })
  expect(result.current).toEqual(["a1", "b9"])

  rerender({ rows: ["b9", "a1"], view: "-value" })
  expect(result.current).toEqual(["b9", "a1"])
})
