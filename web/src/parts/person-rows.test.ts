import { expect, test } from "vitest"
import {
  contactNumberOf,
  emptyDraft,
  faultsByRow,
  faultsOfDraft,
  MOST_ROWS,
  parsePasted,
  withPasted,
} from "./person-rows"

const roles = ["client"] as const

test("a row without a name and an e-mail address says so", () => {
  expect(faultsOfDraft(emptyDraft(roles))).toEqual({
    name: "Name is required",
    email: "Email is required",
  })
})

test.each(["kavya@", "kavya.in", "a b@c.in", "kavya@menon"])("%s is no e-mail address", (email) => {
  expect(faultsOfDraft({ ...emptyDraft(roles), name: "Kavya", email })).toEqual({
    email: "Enter a valid email",
  })
})

test("the server's faults are given to their rows, whichever way it counts them", () => {
  const errors = [
    { field: "clients.1.email", message: "Enter a valid email" },
    { field: "0.email", message: "Email already registered" },
    { field: "clients", message: "Too many" },
    { field: "clients.7.name", message: "Out of reach" },
  ]

  expect(faultsByRow(errors, 2)).toEqual([
    { email: "Email already registered" },
    { email: "Enter a valid email" },
  ])
})

test.each([
  ["+91 98765 43210", "9876543210"],
  ["098765-43210", "9876543210"],
  ["9876543210", "9876543210"],
  ["98765", "98765"],
])("the contact number %s is %s", (text, digits) => {
  expect(contactNumberOf(text)).toBe(digits)
})

test("cells are known by their looks, in whatever order they stand", () => {
  const pasted = parsePasted("kavya@menon.in\tKavya Menon\t+91 98765 43210\tclient\r\n")

  expect(pasted).toEqual([
    {
      name: "Kavya Menon",
      email: "kavya@menon.in",
      countryCode: "+91",
      contactNumber: "9876543210",
      role: "client",
    },
  ])
})

test("headings say which column is what", () => {
  const pasted = parsePasted("Email\tPhone\tClient name\nr@x.in\t12345\t9 Lives Trust\n")

  expect(pasted).toEqual([{ name: "9 Lives Trust", email: "r@x.in", contactNumber: "12345" }])
})

test("a single word is no table", () => {
  expect(parsePasted("Kavya Menon")).toBeNull()
})

test("pasted lines fill the rows from where they were pasted, and add what is missing", () => {
  const first = { ...emptyDraft(roles), name: "Asha" }

  const rows = withPasted([first, emptyDraft(roles)], 1, [{ name: "B" }, { name: "C" }], roles)

  expect(rows.map((row) => row.name)).toEqual(["Asha", "B", "C"])
  expect(new Set(rows.map((row) => row.key)).size).toBe(3)
})

test("no more rows are taken in than can be added at once", () => {
  const lines = Array.from({ length: MOST_ROWS + 20 }, (_, index) => ({ name: `N${index}` }))

  expect(withPasted([emptyDraft(roles)], 0, lines, roles)).toHaveLength(MOST_ROWS)
})

test("a pasted role counts when it is on offer", () => {
  const staff = ["USER", "ADMIN"] as const

  const rows = withPasted([emptyDraft(staff)], 0, [{ role: "admin" }, { role: "client" }], staff)

  expect(rows.map((row) => row.role)).toEqual(["ADMIN", "USER"])
})

test("a client's language can be pasted, by its name or under a heading", () => {
  const byLooks = parsePasted("Asha Rao\tasha@x.in\tHindi\nRavi Iyer\travi@x.in\tEnglish") ?? []
  const byHeading = parsePasted("Name\tLanguage\nAsha Rao\tहिन्दी\nRavi Iyer\tTamil") ?? []

  expect(byLooks.map(({ language }) => language)).toEqual(["HI", "EN"])
  expect(byHeading.map(({ language }) => language)).toEqual(["HI", undefined])
  const rows = withPasted([emptyDraft(roles)], 0, byHeading, roles)
  expect(rows.map(({ language }) => language)).toEqual(["HI", "EN"])
})

test("staff have no language of letters", () => {
  const staff = ["USER"] as const
  const rows = withPasted([emptyDraft(staff)], 0, [{ name: "A", language: "HI" }], staff)

  expect(rows[0]?.language).toBeUndefined()
})
