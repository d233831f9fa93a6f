import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRecord, keepList, openPeople, ownRecord, userRecord } from "@/testing/people"
import { answer, breakOff, refuse } from "@/testing/server"
import type { Person } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"

const submit = () => screen.getByRole("button", { name: "Submit" })

async function openAddUser() {
  keepList("/users", [ownRecord])
  const { user } = await openPeople()
  await user.click(await screen.findByRole("button", { name: "Add New User" }))
  await screen.findByRole("dialog", { name: "Add New User" })
  return user
}

async function typeRavi(user: Person) {
  await user.fill(screen.getByLabelText("Name"), "Ravi Deshmukh")
  await user.fill(screen.getByLabelText("Email"), "ravi@example.in")
}

const added = { _id: "user-1", name: "Ravi Deshmukh", email: "ravi@example.in", role: "USER" }

test("a user is added with a role, and the dialog closes when the password goes by mail", async () => {
  const user = await openAddUser()
  const calls = answer("post", "/users/add", [{ ...added, temporaryPassword: null }], {
    message: "User created successfully",
  })

  await typeRavi(user)
  await user.selectOptions(screen.getByLabelText("Role"), "ADMIN")
  await user.click(submit())

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
  expect(calls[0]!.body).toEqual({
    users: [
      {
        name: "Ravi Deshmukh",
        countryCode: "+91",
        contactNumber: "",
        email: "ravi@example.in",
        role: "ADMIN",
      },
    ],
  })
  expect(calls[0]!.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  expect(toastMessages()).toEqual(["User created successfully"])
})

test("a temporary password is shown once, copied, and not dropped unasked", async () => {
  const user = await openAddUser()
  answer("post", "/users/add", [{ ...added, temporaryPassword: "aB3#aB3aB3aB3aB3aB3a" }])
  await typeRavi(user)
  await user.click(submit())
  expect(await screen.findByText("aB3#aB3aB3aB3aB3aB3a")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Done" }))
  const question = await screen.findByRole("dialog", { name: "Close without copying?" })
  await user.click(within(question).getByRole("button", { name: "Cancel" }))
  await user.click(screen.getByRole("button", { name: "Copy the password of Ravi Deshmukh" }))
  expect(await screen.findByText("Copied")).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe("aB3#aB3aB3aB3aB3aB3a")
  await user.click(screen.getByRole("button", { name: "Done" }))

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
})

test("the server's error is shown at its row and field", async () => {
  const user = await openAddUser()
  refuse("post", "/users/add", 422, "Enter a valid email", [
    { field: "users.0.email", message: "Enter a valid email" },
  ])

  await typeRavi(user)
  await user.click(submit())

  const row = screen.getByRole("group", { name: "User 1" })
  expect(await within(row).findByText("Enter a valid email")).toBeVisible()
  expect(toastMessages()).toEqual(["Enter a valid email"])
})

test.each([
  ["a refusal without words", () => refuse("post", "/users/add", 500, ""), "Something went wrong"],
  ["a call that reaches nothing", () => breakOff("post", "/users/add"), "API call failed"],
])("%s keeps the form and says so", async (_what, fail, message) => {
  const user = await openAddUser()
  fail()

  await typeRavi(user)
  await user.click(submit())

  await waitFor(() => expect(toastMessages()).toEqual([message]))
  expect(screen.getByLabelText("Name")).toHaveValue("Ravi Deshmukh")
})

test.each([
  ["users", "User", ["USER", "ADMIN"]],
  ["clients", "Client", ["client"]],
])("a row of new %s has its fields, +91 and the roles on offer", async (tab, word, roles) => {
  keepList("/users", [userRecord()])
  keepList("/clients", [clientRecord()])
  const { user } = await openPeople(`?tab=${tab}`)
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
  keepList("/users", [userRecord()])
  const { user } = await openPeople()
  await user.click(await screen.findByRole("button", { name: "Actions for Ravi Deshmukh" }))

  const entries = await screen.findAllByRole("menuitem")
  expect(entries.map((entry) => entry.textContent)).toEqual(["Edit", "Status"])
  await user.click(screen.getByRole("menuitem", { name: "Status" }))
  const words = within(await screen.findByRole("menu", { name: "Status" })).getAllByRole("menuitem")

  expect(words.map((word) => word.textContent)).toEqual(["Active", "Inactive", "Delete"])
})
