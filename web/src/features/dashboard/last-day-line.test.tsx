import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { addDays, date, today } from "@/lib/dates"
import { boardAnswered, followUpRow } from "@/testing/follow-up"
import { answer } from "@/testing/server"
import { show, showApp } from "@/testing/show"
import { WorkList } from "./work-list"

const path = "/admin/follow-up/yesterday"
const day = (change: object = {}) => ({
  day: addDays(today(), -1),
  sent: 14,
  acted: 11,
  medianSlippageBps: 6,
  ...change,
})

test("one line says how much of yesterday's advice was acted on, and leads to it", async () => {
  answer("get", "/admin/dashboard/stats", null)
  answer("get", "/admin/dashboard/stocks-distribution", [])
  answer("get", "/admin/dashboard/daily-aum", [])
  const board = boardAnswered([followUpRow()])
  answer("get", path, day())
  const { user } = await showApp("/home/dashboard", { role: "ADMIN" })

  const line = await screen.findByRole("link", { name: /acted on/ })
  expect(line).toHaveTextContent(
    "11 of 14 acted on yesterday’s advice; median 6.00 bp See Follow-up",
  )
  await user.click(line)

  await waitFor(() => expect(board.at(-1)?.search.get("from")).toBe(addDays(today(), -1)))
  expect(board.at(-1)?.search.get("to")).toBe(addDays(today(), -1))
})

test("advice before a weekend is named by its date, and an unknown median is left out", async () => {
  const friday = addDays(today(), -3)
  answer("get", path, day({ day: friday, acted: 0, medianSlippageBps: null }))
  await show(<WorkList />)

  expect(await screen.findByRole("link", { name: /acted on/ })).toHaveTextContent(
    `0 of 14 acted on the advice of ${date(friday)} See Follow-up`,
  )
})

test("without advice on that day there is no line", async () => {
  const calls = answer("get", path, day({ sent: 0, acted: 0, medianSlippageBps: null }))
  await show(<WorkList />)
  await screen.findByText("Nothing needs your attention now.")

  await waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByRole("link", { name: /acted on/ })).toBeNull()
})
