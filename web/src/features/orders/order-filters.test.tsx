import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { order } from "@/testing/clients"
import { answerOrders, openOrders, ordersChosen, ordersShown } from "@/testing/orders"
import { setScreenWidth } from "@/testing/screen-width"

beforeEach(ordersChosen)

test("choosing a status filters, goes to page 1 and closes the menus", async () => {
  const calls = answerOrders([order()], 120)
  const { user } = await openOrders("?page=3")
  await ordersShown()

  await user.choose("Filter", "Status")
  const words = await screen.findAllByRole("menuitem", { name: /^[A-Z]+$/ })
  const choices = words.map((word) => word.textContent)
  expect(choices).toEqual(["COMPLETE", "REJECTED", "OPEN", "CANCELLED"])
  await user.click(screen.getByRole("menuitem", { name: "REJECTED" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("status")).toBe("REJECTED"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull())
  expect(screen.getByRole("button", { name: "Clear status filter" })).toBeVisible()
})

test("the first day picked only arms the filter, the second applies it and closes the picker", async () => {
  const calls = answerOrders([order()], 120)
  const { user } = await openOrders("?page=2&status=OPEN")
  await ordersShown()

  await user.choose("Filter", "Date")
  // Whether each of so many days can be seen takes long to find out: the dialog around them can.
  const days = await screen.findAllByRole("button", { name: /^\d+ \w+ \d{4}$/, hidden: true })
  const inMonth = days.filter((day) => !day.hasAttribute("data-outside"))
  await user.click(inMonth[9]!)
  expect(calls).toHaveLength(1)
  expect(screen.getByRole("dialog", { name: "Date" })).toBeVisible()
  await user.click(inMonth[11]!)

  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]!.search.get("from")).toMatch(/-10$/)
  expect(calls[1]!.search.get("to")).toMatch(/-12$/)
  // The status is stored with the dates, and stays.
  expect(calls[1]!.search.get("status")).toBe("OPEN")
  expect(calls[1]!.search.get("page")).toBe("1")
  expect(screen.queryByRole("dialog", { name: "Date" })).toBeNull()
})

test("days can be typed, and nonsense says what is wrong", async () => {
  const calls = answerOrders()
  const { user } = await openOrders()
  await ordersShown()
  await user.choose("Filter", "Date")
  const field = await screen.findByLabelText("Dates")

  await user.fill(field, "soon")
  await user.keyboard("{Enter}")
  expect(screen.getByText("Please select a valid date")).toBeVisible()
  expect(calls).toHaveLength(1)
  await user.refill(field, "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-11-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-11-20")
  expect(screen.getByText("01-11-2026 – 20-11-2026")).toBeVisible()
})

test("a click outside closes the menus and changes nothing", async () => {
  const calls = answerOrders()
  const { user } = await openOrders()
  await ordersShown()

  await user.choose("Filter", "Status")
  await screen.findByRole("menuitem", { name: "OPEN" })
  await user.click(screen.getByRole("heading", { level: 1 }))
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull())

  await user.choose("Filter", "Date")
  await screen.findByRole("dialog", { name: "Date" })
  await user.click(screen.getByRole("heading", { level: 1 }))
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Date" })).toBeNull())
  expect(calls).toHaveLength(1)
})

test("the filter is set by keyboard alone", async () => {
  const calls = answerOrders()
  const { user } = await openOrders()
  await ordersShown()

  screen.getByRole("button", { name: "Filter" }).focus()
  await user.keyboard("{Enter}")
  expect(await screen.findByRole("menuitem", { name: "Date" })).toBeVisible()
  await user.keyboard("{ArrowDown}{ArrowRight}")
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "COMPLETE" })).toHaveFocus())
  await user.keyboard("{ArrowDown}{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("status")).toBe("REJECTED"))
})

test("on a phone orders are cards, and the filters a sheet", async () => {
  setScreenWidth(390)
  const calls = answerOrders()
  const { user } = await openOrders()
  const list = await screen.findByRole("list", { name: "Order Book" })
  await waitFor(() => expect(within(list).getByText("INFY")).toBeVisible())
  expect(screen.queryByRole("table")).toBeNull()

  await user.click(screen.getByRole("button", { name: "Filter" }))
  const sheet = await screen.findByRole("dialog", { name: "Filter" })
  expect(await within(sheet).findByLabelText("Dates")).toBeVisible()
  await user.click(within(sheet).getByRole("button", { name: "CANCELLED" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("status")).toBe("CANCELLED"))
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Filter" })).toBeNull())
})
