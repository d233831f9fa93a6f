import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRecord, keepList, userRecord } from "@/testing/people"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

test.each([
  ["users", "User", ["USER", "ADMIN"]],
  ["clients", "Client", ["client"]],
])("a row of new %s has its fields, +91 and the roles on offer", async (tab, word, roles) => {
  signedIn("ADMIN")
  keepList("/users", [userRecord()])
  keepList("/clients", [clientRecord()])
  const { user } = await showApp(`/home/roles-permission?tab=${tab}`, { role: "ADMIN" })
  await user.click(await screen.findByRole("button", { name: `Add New ${word}` }))
  const dialog = within(await screen.findByRole("dialog", { name: `Add New ${word}` }))
  const first = within(dialog.getByRole("group", { name: `${word} 1` }))

  expect(first.getByLabelText("Name")).toHaveValue("")
  expect(first.getByLabelText("Code")).toHaveValue("+91")
  expect(first.getByLabelText("Contact number")).toHaveValue("")
  expect(first.getByLabelText("Email")).toHaveValue("")
  const offered = within(first.getByLabelText("Role")).getAllByRole("option")
  expect(offered.map((option) => option.textContent)).toEqual(roles)
  await user.click(dialog.getByRole("button", { name: "Add Row" }))
  expect(dialog.getAllByRole("group")).toHaveLength(2)
  for (const name of ["Cancel", "Submit"])
    expect(dialog.getByRole("button", { name })).toBeEnabled()
})

test("the menu of a row is Edit and Status, and under Status Active, Inactive, Delete", async () => {
  signedIn("ADMIN")
  keepList("/users", [userRecord()])
  const { user } = await showApp("/home/roles-permission", { role: "ADMIN" })
  await user.click(await screen.findByRole("button", { name: "Actions for Ravi Deshmukh" }))

  const entries = await screen.findAllByRole("menuitem")
  expect(entries.map((entry) => entry.textContent)).toEqual(["Edit", "Status"])
  await user.click(screen.getByRole("menuitem", { name: "Status" }))
  const words = within(await screen.findByRole("menu", { name: "Status" })).getAllByRole("menuitem")

  expect(words.map((word) => word.textContent)).toEqual(["Active", "Inactive", "Delete"])
})
