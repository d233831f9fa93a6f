import { screen, waitFor, within } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { beforeEach, expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { clientProfile, order, pageOf } from "@/testing/clients"
import { setScreenWidth } from "@/testing/screen-width"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const path = "/admin/clients/client/id-1/order-book"
const profilePath = "/admin/clients/client/id-1/profile"

beforeEach(() => {
  chooseClient("id-1", "C0001")
  signedIn()
  answer("get", profilePath, clientProfile())
})

const book = (orders = [order()], total = orders.length, limit = 20) =>
  answer("get", path, { orders }, pageOf(total, limit))
const open = (search = "") => showApp(`/home/client/order-book${search}`, { role: "ADMIN" })
const shown = () => screen.findByRole("cell", { name: "INFY" })

async function openMenu(user: UserEvent, entry: "Date" | "Status") {
  await user.click(screen.getByRole("button", { name: "Filter" }))
  await user.click(await screen.findByRole("menuitem", { name: entry }))
}

test("choosing a status filters, goes to page 1 and closes the menus", async () => {
  const calls = book([order()], 120)
  const { user } = await open("?page=3")
  await shown()

  await openMenu(user, "Status")
  const words = await screen.findAllByRole("menuitem", { name: /^[A-Z]+$/ })
  expect(words.map((each) => each.textContent)).toEqual([
    "COMPLETE",
    "REJECTED",
    "OPEN",
    "CANCELLED",
  ])
  await user.click(screen.getByRole("menuitem", { name: "REJECTED" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("status")).toBe("REJECTED"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull())
  expect(screen.getByRole("button", { name: "Clear status filter" })).toBeVisible()
})

test("the first day picked only arms the filter, the second applies it and closes the picker", async () => {
  const calls = book([order()], 120)
  const { user } = await open("?page=2&status=OPEN")
  await shown()

  await openMenu(user, "Date")
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
  const calls = book()
  const { user } = await open()
  await shown()
  await openMenu(user, "Date")
  const field = await screen.findByLabelText("Dates")

  await user.fill(field, "soon")
  await user.keyboard("{Enter}")
  expect(screen.getByText("Please select a valid date")).toBeVisible()
  expect(calls).toHaveLength(1)
  await user.clear(field)
  await user.fill(field, "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-11-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-11-20")
  expect(screen.getByText("01-11-2026 – 20-11-2026")).toBeVisible()
})

test("a click outside closes the menus and changes nothing", async () => {
  const calls = book()
  const { user } = await open()
  await shown()

  await openMenu(user, "Status")
  await screen.findByRole("menuitem", { name: "OPEN" })
  await user.click(screen.getByRole("heading", { level: 1 }))
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull())

  await openMenu(user, "Date")
  await screen.findByRole("dialog", { name: "Date" })
  await user.click(screen.getByRole("heading", { level: 1 }))
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Date" })).toBeNull())
  expect(calls).toHaveLength(1)
})

test("the filter is set by keyboard alone", async () => {
  const calls = book()
  const { user } = await open()
  await shown()

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
  const calls = book()
  const { user } = await open()
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
