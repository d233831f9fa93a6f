import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { expectFetchStates } from "@/testing/fetch-states"
import { stockRow } from "@/testing/follow-up"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { cellsOf, headings } from "@/testing/tables"

const path = "/admin/follow-up/stocks"

async function open(search = "") {
  signedIn("USER")
  const calls = answer("get", path, [stockRow()], pageOf(1))
  const shown = await showApp(`/home/follow-up/stocks${search}`, { role: "USER" })
  const row = await screen.findByRole("row", { name: /INFY/ })
  return { calls, row, ...shown }
}

test("each stock is a row with who acted and how far from the advised price", async () => {
  const { row } = await open()

  expect(await headings()).toBe(
    "Stock | ISIN | Lines | Acted | Acted % | Median Slippage (bp) | 90th Percentile (bp) | Advised Value | Traded Value | Days of Volume",
  )
  expect(cellsOf(row)).toBe(
    "INFY | INE009A01021 | 14 | 11 | 78.57% | 6.00 | 41.25 | ₹12,50,000.00 | ₹9,80,000.00 | 3.40",
  )
})

test("days of volume that are not known are a dash, and the thinnest stock can come first", async () => {
  signedIn("USER")
  const calls = answer("get", path, [stockRow({ daysOfVolume: null })], pageOf(1))
  const { user } = await showApp("/home/follow-up/stocks", { role: "USER" })
  const row = await screen.findByRole("row", { name: /INFY/ })
  expect(cellsOf(row)).toMatch(/\| -$/)

  await user.click(screen.getByRole("button", { name: "Days of Volume" }))

  await waitFor(() => expect(calls.at(-1)?.search.get("sort")).toBe("-daysOfVolume"))
})

test("filters and order are in the address and reach the server", async () => {
  const { calls, user } = await open("?from=2026-11-01&to=2026-11-20&query=inf")
  expect(calls[0]?.search.get("from")).toBe("2026-11-01")
  expect(calls[0]?.search.get("query")).toBe("inf")

  await user.click(screen.getByRole("button", { name: "90th Percentile (bp)" }))

  await waitFor(() => expect(calls.at(-1)?.search.get("sort")).toBe("-p90SlippageBps"))
})

test("the list is exported with its filters", async () => {
  const { user } = await open("?query=inf")
  const requests = answerFile(`${path}/export`, "follow-up-stocks.csv")
  const saved = watchDownloads()

  await user.choose("Table options: Follow-up by stock", "Download CSV")

  await waitFor(() => expect(saved).toEqual(["follow-up-stocks.csv"]))
  expect(new URL(requests[0]!.url).searchParams.get("query")).toBe("inf")
})

test("loading, failure and no stock at all have their messages, with a next step", async () => {
  signedIn("USER")
  await expectFetchStates(path, {
    open: () => showApp("/home/follow-up/stocks", { role: "USER" }),
    data: [],
    more: pageOf(0),
    shows: "Stocks appear here once clients’ trades are read after an advice.",
  })
  expect(screen.getByRole("button", { name: "Go to Readiness" })).toBeVisible()
})

test("the tabs lead from list to list", async () => {
  const { user, router } = await open()
  answer("get", "/admin/follow-up/questions", [], pageOf(0))

  await user.click(screen.getByRole("link", { name: "Questions" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/follow-up/questions"))
})
