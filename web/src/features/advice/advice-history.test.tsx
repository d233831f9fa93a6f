import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { useState } from "react"
import { chooseClient } from "@/api/session"
import type { Range } from "@/lib/dates"
import { clientProfile, pageOf } from "@/testing/clients"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, refuse } from "@/testing/server"
import { type Person, show, showApp } from "@/testing/show"
import { advice, historyPath as path, stock } from "@/testing/sent-advice"
import { signedIn } from "@/testing/signed-in"
import { dataRows, headings, rowTexts } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"
import { AdviceHistory } from "./advice-history"

beforeEach(() => chooseClient("id-1", "C0001"))

/** The address keeps the view; here the component around it does. */
function Shown() {
  const [view, setView] = useState<{ page: number; range: Range | null }>({ page: 1, range: null })
  return <AdviceHistory {...view} onView={setView} />
}

async function openDates(user: Person) {
  await user.choose("Filter", "Date")
  return screen.findByLabelText("Dates")
}

test("each stock is a row with the columns of the specification", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))

  await show(<Shown />)

  expect(await headings()).toBe(
    "Date(DD/MM/YYYY) | Stock | Transaction Type | Quantity | % Allocation | Investment Amount | Order Type | Exchnage | Delivery | Letter | Record",
  )
  expect(rowTexts()).toEqual([
    "20/11/2026INFYBUY409.87%₹12,345.60DELIVERYNSESENT",
    "20/11/2026ITCSELL1,2009.87%₹12,345.60DELIVERYNSE",
  ])
})

test("an advice that could not be delivered says why", async () => {
  const delivery = { status: "FAILED" as const, at: "2026-11-19T20:31:00Z", error: "Mailbox full" }
  answer("get", path, [advice("a", { delivery })], pageOf(1, 200))

  await show(<Shown />)

  expect(await screen.findByText("FAILED")).toBeVisible()
  expect(screen.getByText("Mailbox full")).toBeVisible()
})

test("a page has twenty rows", async () => {
  const many = Array.from({ length: 12 }, (_, index) => advice(`a${index}`))
  answer("get", path, many, pageOf(12, 200))
  const { user } = await show(<Shown />)
  await screen.findByText("1–20 of 24")
  expect(dataRows()).toHaveLength(20)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(screen.getByText("21–24 of 24")).toBeVisible()
})

test("an advice that continues on the next page shows its state there again", async () => {
  const stocks = Array.from({ length: 21 }, (_, index) => stock(`S${index}`))
  answer("get", path, [advice("a", { stocks })], pageOf(1, 200))
  const { user } = await show(<Shown />)
  expect(await screen.findAllByText("SENT")).toHaveLength(1)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(rowTexts()).toEqual(["20/11/2026S20BUY409.87%₹12,345.60DELIVERYNSESENT"])
})

test("a date range is sent to the server, and the list returns to its first page", async () => {
  const many = Array.from({ length: 12 }, (_, index) => advice(`a${index}`))
  const calls = answer("get", path, many, pageOf(12, 200))
  const { user } = await show(<Shown />)
  await user.click(await screen.findByRole("button", { name: "Page 2" }))

  await user.fill(await openDates(user), "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-11-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-11-20")
  expect(await screen.findByText("1–20 of 24")).toBeVisible()
})

test("a filter that finds nothing says so and can be cleared", async () => {
  const calls = answer("get", path, [], pageOf(0, 200))
  const { user } = await show(<Shown />)
  expect(await screen.findByText("No Data Available")).toBeVisible()
  await user.fill(await openDates(user), "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")
  await screen.findByText("No advice was sent on these dates.")

  await user.click(screen.getByRole("button", { name: "Clear filter" }))

  await screen.findByText("Advice sent to this client appears here.")
  expect(calls[1]!.search.get("from")).toBe("2026-11-01")
})

test("loading and failure show their messages", () =>
  expectFetchStates(path, {
    open: () => show(<Shown />),
    data: [],
    more: pageOf(0, 200),
    shows: "No Data Available",
  }))

test("only the date filters, and the shared address holds it", async () => {
  signedIn()
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  const calls = answer("get", path, [advice("a")], pageOf(1, 200))
  const address = "/home/client/advice-history?from=2026-11-01&to=2026-11-20"
  const { user, router } = await showApp(address, { role: "USER" })
  await screen.findByText("SENT")
  expect(calls[0]!.search.get("from")).toBe("2026-11-01")

  await user.click(screen.getByRole("button", { name: "Filter" }))
  await screen.findByRole("menuitem", { name: "Date" })
  expect(screen.queryByRole("menuitem", { name: "Status" })).toBeNull()
  await user.keyboard("{Escape}")
  await user.click(screen.getByRole("button", { name: "Clear date filter" }))

  await waitFor(() => expect(calls.at(-1)!.search.has("from")).toBe(false))
  expect(router.state.location.searchStr).toBe("")
})

test("the letter is fetched with the session's token and saved under the client's code and day", async () => {
  sessionStorage.setItem("token", "token-of-the-test")
  answer("get", path, [advice("a")], pageOf(1, 200))
  const requests = answerFile("/admin/advice/a/letter.pdf")
  const saved = watchDownloads()
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: "Download the letter of 20/11/2026" }))

  await waitFor(() => expect(saved).toEqual(["advice-C0001-2026-11-20.pdf"]))
  expect(requests[0]!.headers.get("Authorization")).toBe("Bearer token-of-the-test")
})

test("a letter that cannot be fetched says why", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  refuse("get", "/admin/advice/a/letter.pdf", 404, "Advice not found")
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: /Download the letter/ }))

  await waitFor(() => expect(toastMessages()).toEqual(["Advice not found"]))
})
