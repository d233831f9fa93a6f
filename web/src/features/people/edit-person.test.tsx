import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRecord, keepList, openPeople, userRecord } from "@/testing/people"
import { answer, answerBy, answerWith, breakOff, refuse } from "@/testing/server"
import type { Person } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"

const submit = () => screen.getByRole("button", { name: "Submit" })
const conflict = "This record was changed by someone else. Reload and try again."

const refuseAsStale = () =>
  answerWith(
    "put",
    "/users/edit",
    { success: false, message: conflict, code: "stale_version" },
    409,
  )

async function edit(user: Person, name: string) {
  await user.choose(`Actions for ${name}`, "Edit")
  return screen.findByRole("dialog")
}

test("an edit sends what the specification says, and never the e-mail address", async () => {
  const rows = [userRecord()]
  keepList("/users", rows)
  const calls = answer("put", "/users/edit", rows[0], { message: "User updated successfully" })
  const { user } = await openPeople()

  const dialog = await edit(user, "Ravi Deshmukh")
  expect(within(dialog).getByLabelText("Email")).toBeDisabled()
  await user.refill(screen.getByLabelText("Name"), "Ravi Rao")
  await user.refill(screen.getByLabelText("Contact number"), "98765x4321099")
  await user.selectOptions(within(dialog).getByLabelText("Role"), "ADMIN")
  await user.click(submit())

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
  expect(calls[0]!.body).toEqual({
    id: "user-1",
    name: "Ravi Rao",
    status: "ACTIVE",
    contactNumber: "9876543210",
    countryCode: "+91",
    role: "ADMIN",
    version: 3,
  })
  expect(toastMessages()).toEqual(["User updated successfully"])
})

test("a client's edit sends what the profile shows too, and an emptied birthday as none", async () => {
  keepList("/clients", [clientRecord()])
  const calls = answer("put", "/clients/edit", clientRecord(), {
    message: "Client updated successfully",
  })
  const { user } = await openPeople("?tab=clients")

  const dialog = await edit(user, "Asha Rao")
  expect(within(dialog).getByLabelText("Role")).toBeDisabled()
  await user.clear(screen.getByLabelText("Date of birth"))
  await user.refill(screen.getByLabelText("Family"), "Menon")
  await user.selectOptions(screen.getByLabelText("Kind of client"), "Hindu undivided family (HUF)")
  await user.refill(screen.getByLabelText("Accredited from"), "01/04/2025")
  await user.refill(screen.getByLabelText("Accredited until"), "31/03/2028")
  await user.selectOptions(screen.getByLabelText("Language of letters"), "हिन्दी (Hindi)")
  await user.click(submit())

  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]!.body).toEqual({
    id: "client-1",
    name: "Asha Rao",
    status: "ACTIVE",
    contactNumber: "9012708438",
    countryCode: "+91",
    dob: null,
    address: "72 Model Town, Delhi",
    family: "Menon",
    kind: "HUF",
    accreditedFrom: "2025-04-01",
    accreditedUntil: "2028-03-31",
    language: "HI",
    version: 2,
  })
})

test("what does not fit is said at its field and nothing is sent", async () => {
  keepList("/users", [userRecord()])
  const calls = answer("put", "/users/edit", userRecord())
  const { user } = await openPeople()

  await edit(user, "Ravi Deshmukh")
  await user.clear(screen.getByLabelText("Name"))
  await user.refill(screen.getByLabelText("Code"), "91")
  await user.click(submit())

  expect(await screen.findByText("Name is required")).toBeVisible()
  expect(screen.getByText("A country code is a plus and one to four digits.")).toBeVisible()
  expect(calls).toHaveLength(0)
})

test("a conflict keeps what was typed, and Reload brings what is there now", async () => {
  const rows = [userRecord()]
  keepList("/users", rows)
  refuseAsStale()
  const { user } = await openPeople()
  await edit(user, "Ravi Deshmukh")
  await user.refill(screen.getByLabelText("Name"), "Mine")
  rows[0] = userRecord({ name: "Theirs", version: 4 })

  await user.click(submit())

  expect(await screen.findByText(conflict)).toBeVisible()
  expect(screen.getByLabelText("Name")).toHaveValue("Mine")
  await user.click(screen.getByRole("button", { name: "Reload" }))
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveValue("Theirs"))
  expect(screen.queryByText(conflict)).not.toBeInTheDocument()
  const calls = answerBy("put", "/users/edit", () => ({ success: true, data: userRecord() }))
  await user.click(submit())
  await waitFor(() => expect(calls[0]!.body).toMatchObject({ name: "Theirs", version: 4 }))
})

test("a record that is gone says so on Reload", async () => {
  const rows = [userRecord()]
  keepList("/users", rows)
  refuseAsStale()
  const { user } = await openPeople()
  await edit(user, "Ravi Deshmukh")
  rows.pop()
  await user.click(submit())

  await user.click(await screen.findByRole("button", { name: "Reload" }))

  expect(await screen.findByText("User not found")).toBeVisible()
})

test.each([
  [
    "the server's words",
    () => refuse("put", "/users/edit", 404, "User not found"),
    "User not found",
  ],
  ["none of the server's", () => refuse("put", "/users/edit", 500, ""), "Something went wrong"],
  ["a broken connection", () => breakOff("put", "/users/edit"), "API call failed"],
])("an edit that fails tells %s", async (_what, fail, message) => {
  keepList("/users", [userRecord()])
  fail()
  const { user } = await openPeople()
  await edit(user, "Ravi Deshmukh")

  await user.click(submit())

  await waitFor(() => expect(toastMessages()).toEqual([message]))
  expect(screen.getByRole("dialog", { name: "Edit User" })).toBeVisible()
})

test("typed edits are not dropped unasked", async () => {
  keepList("/users", [userRecord()])
  const { user } = await openPeople()
  await edit(user, "Ravi Deshmukh")
  await user.fill(screen.getByLabelText("Name"), " Rao")

  await user.click(screen.getByRole("button", { name: "Cancel" }))

  expect(await screen.findByRole("dialog", { name: "Discard changes?" })).toBeVisible()
})
