import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { today } from "@/lib/dates"
import { chooseAsha, feesPath, openClientFees, pencil } from "@/testing/fee-screens"
import { fee, flowsChanged, openFee, passedLimit } from "@/testing/fees"
import { expectFetchStates } from "@/testing/fetch-states"
import { setScreenWidth } from "@/testing/screen-width"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { dataRows, headings } from "@/testing/tables"

beforeEach(chooseAsha)

test("a fee is a row with its period, its figures and its state, in a table that scrolls", async () => {
  await openClientFees([
    openFee(),
    fee({ limit: passedLimit, overLimit: true }),
    fee({ _id: "fee-2" }),
  ])

  expect(await headings()).toBe(
    "Starting Date | Due Date | Final Date | Starting Value | Final Value | Net Gain | " +
      "Applicable % | Fees | Net Gain After Fees | Status | Paid Date | Actions",
  )
  expect(dataRows()[0]).toHaveTextContent("01/04/2026--₹10,00,000.00-----DUE-")
  expect(dataRows()[2]).toHaveTextContent(
    "01/04/202530/04/202631/03/2026₹10,00,000.00₹11,50,000.00+₹1,50,000.00+15.00%20.00%" +
      "₹30,000.00+₹1,20,000.00DUE-",
  )
  expect(screen.getByRole("heading", { level: 2, name: "Fee Details" })).toBeVisible()
  expect(screen.getByRole("region", { name: "Fees, table" })).toHaveStyle({ maxHeight: "450px" })
  expect(dataRows()[3]).toHaveTextContent("Total+₹3,00,000.00₹60,000.00+₹2,40,000.00")
})

test("a fee over the yearly limit is marked, and the calculation is shown above the table", async () => {
  await openClientFees([fee({ limit: passedLimit, overLimit: true })])

  expect(dataRows()[0]).toHaveTextContent("Over limit")
  expect(screen.getByRole("list", { name: "Over the yearly limit" })).toHaveTextContent(
    "Period from 01/04/2025: Family fees from 1 Apr 2026 to 31 Mar 2027: ₹1,00,000.00 + this fee " +
      "₹60,000.00 = ₹1,60,000.00, limit ₹1,51,000.00: ₹9,000.00 over",
  )
})

test("a fee whose cash flows changed is marked, with the fee that would now result", async () => {
  await openClientFees([fee({ flowsChanged })])

  expect(dataRows()[0]).toHaveTextContent("Cash flows changed after this fee")
  expect(screen.getByRole("list", { name: "Cash flows changed after this fee" })).toHaveTextContent(
    "Period from 01/04/2025: Cash flows changed after this fee. Fee ₹30,000.00, now ₹10,000.00.",
  )
})

test("a page has twenty rows", async () => {
  const many = Array.from({ length: 21 }, (_, index) => fee({ _id: `fee-${index}` }))
  const { user, router } = await openClientFees(many)
  expect(dataRows()).toHaveLength(21) // with the totals

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(await screen.findByText("21–21 of 21")).toBeVisible()
  expect(router.state.location.search).toMatchObject({ page: 2 })
})

test("a status and a range of days are asked of the server, and the first page is shown", async () => {
  const { user, calls } = await openClientFees([fee()], "?page=2")

  await user.choose("Filter", "Status")
  const choices = await screen.findAllByRole("menuitem", { name: /^[A-Z]+$/ })
  expect(choices.map((choice) => choice.textContent)).toEqual(["PAID", "DUE"])
  await user.click(screen.getByRole("menuitem", { name: "PAID" }))
  await waitFor(() => expect(calls.at(-1)!.search.get("status")).toBe("PAID"))

  await user.choose("Filter", "Date")
  await user.fill(await screen.findByLabelText("Dates"), "01-04-2025 – 31-03-2026")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2025-04-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-03-31")
  expect(calls.at(-1)!.search.get("status")).toBe("PAID")
})

test("a client without fees, and a filter that finds none, say so", async () => {
  const { user, calls } = await openClientFees([], "?status=PAID")
  expect(screen.getByText("No fee matches the filter.")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Clear filter" }))

  expect(await screen.findByText("This client's fees appear here.")).toBeVisible()
  expect(calls.at(-1)!.search.has("status")).toBe(false)
})

test("loading and failure show their messages", () =>
  expectFetchStates(feesPath, {
    open: () => showApp("/home/client/fees", { role: "USER" }),
    data: [fee()],
    shows: "1–1 of 1",
  }))

test("on a phone a fee is a card with all its figures, and its fields have labels", async () => {
  setScreenWidth(390)
  const sent = answer("put", feesPath, fee())
  const { user } = await openClientFees([fee({ limit: passedLimit, overLimit: true })])

  expect(screen.queryByRole("table")).toBeNull()
  const card = screen.getByText("01/04/2025 – 31/03/2026").closest("li")!
  expect(card).toHaveTextContent("₹30,000.00")
  expect(card).toHaveTextContent("Net Gain+₹1,50,000.00+15.00%")
  expect(card).toHaveTextContent("₹9,000.00 over")

  await user.click(await pencil())
  expect(within(card).getByText("Paid Date")).toBeVisible()
  await user.selectOptions(within(card).getByLabelText("Status"), "PAID")
  await user.click(within(card).getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({ status: "PAID", paidDate: today() })
})
