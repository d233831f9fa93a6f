import { screen, waitFor, within } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import type { UserEvent } from "@testing-library/user-event"
import { beforeEach, expect, test, vi } from "vitest"
import { useState } from "react"
import { chooseClient } from "@/api/session"
import type { Range } from "@/lib/dates"
import { clientProfile, pageOf } from "@/testing/clients"
import { answer, breakOff, hang, refuse, server } from "@/testing/server"
import { show, showApp } from "@/testing/show"
import { advice, historyPath as path, stock } from "@/testing/sent-advice"
import { signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"
import { AdviceHistory } from "./advice-history"

beforeEach(() => chooseClient("id-1", "C0001"))

/** The address keeps the view; here the component around it does. */
function Shown() {
  const [view, setView] = useState<{ page: number; range: Range | null }>({ page: 1, range: null })
  return <AdviceHistory {...view} onView={setView} />
}

async function openDates(user: UserEvent) {
  await user.click(screen.getByRole("button", { name: "Filter" }))
  await user.click(await screen.findByRole("menuitem", { name: "Date" }))
  return screen.findByLabelText("Dates")
}

const rows = () => within(screen.getByRole("table")).getAllByRole("row").slice(1)

test("each stock is a row with the columns of the specification", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))

  await show(<Shown />)

  const heads = (await screen.findAllByRole("columnheader")).map((head) => head.textContent)
  expect(heads).toEqual([
    "Date(DD/MM/YYYY)",
    "Stock",
    "Transaction Type",
    "Quantity",
    "% Allocation",
    "Investment Amount",
    "Order Type",
    "Exchnage",
    "Delivery",
    "Letter",
    "Record",
  ])
  expect(rows().map((row) => row.textContent)).toEqual([
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
  expect(rows()).toHaveLength(20)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(screen.getByText("21–24 of 24")).toBeVisible()
})

test("an advice that continues on the next page shows its state there again", async () => {
  const stocks = Array.from({ length: 21 }, (_, index) => stock(`S${index}`))
  answer("get", path, [advice("a", { stocks })], pageOf(1, 200))
  const { user } = await show(<Shown />)
  expect(await screen.findAllByText("SENT")).toHaveLength(1)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(rows().map((row) => row.textContent)).toEqual([
    "20/11/2026S20BUY409.87%₹12,345.60DELIVERYNSESENT",
  ])
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

test("the first day picked does not filter yet, the second does", async () => {
  const calls = answer("get", path, [advice("a")], pageOf(1, 200))
  const { user } = await show(<Shown />)
  await screen.findByText("SENT")

  await openDates(user)
  // Checking the visibility of so many days is slow, so only the dialog around them is checked.
  const days = await screen.findAllByRole("button", { name: /^\d+ \w+ \d{4}$/, hidden: true })
  const inMonth = days.filter((day) => !day.hasAttribute("data-outside"))
  await user.click(inMonth[9]!)
  expect(calls).toHaveLength(1)
  expect(screen.getByRole("dialog", { name: "Date" })).toBeVisible()
  await user.click(inMonth[11]!)

  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]!.search.get("from")).toMatch(/-10$/)
  expect(calls[1]!.search.get("to")).toMatch(/-12$/)
  expect(screen.queryByRole("dialog", { name: "Date" })).toBeNull()
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

test("a history that fails to load says so", async () => {
  breakOff("get", path)

  await show(<Shown />)

  expect(await screen.findByText("Failed to fetch data")).toBeVisible()
})

test("while the history loads it says so", async () => {
  hang("get", path)

  await show(<Shown />)

  expect(screen.getByText("Fetching data...")).toBeVisible()
})

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
  let authorization: string | null = null
  server.use(
    http.get("*/api/v1/admin/advice/a/letter.pdf", ({ request }) => {
      authorization = request.headers.get("Authorization")
      return new HttpResponse("%PDF-1.7", { headers: { "Content-Type": "application/pdf" } })
    }),
  )
  const saved: string[] = []
  URL.createObjectURL = () => "blob:letter"
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.href} ${this.download}`)
  })
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: "Download the letter of 20/11/2026" }))

  await waitFor(() => expect(saved).toEqual(["blob:letter advice-C0001-2026-11-20.pdf"]))
  expect(authorization).toBe("Bearer token-of-the-test")
})

test("a letter that cannot be fetched says why", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  refuse("get", "/admin/advice/a/letter.pdf", 404, "Advice not found")
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: /Download the letter/ }))

  await waitFor(() =>
    expect(toasts.get().map((toast) => toast.message)).toEqual(["Advice not found"]),
  )
})
