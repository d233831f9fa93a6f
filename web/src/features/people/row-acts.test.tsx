import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { expect, test } from "vitest"
import { clientRecord, keepList, openPeople, ownRecord, userRecord } from "@/testing/people"
import { answerBy, breakOff, refuse } from "@/testing/server"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"

const details = () => toasts.get().map((toast) => toast.detail)

async function statusMenu(user: UserEvent, name: string) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole("menuitem", { name: "Status" }))
  return screen.findByRole("menu", { name: "Status" })
}

async function choose(user: UserEvent, name: string, word: string) {
  const menu = await statusMenu(user, name)
  // Without a layout a moving pointer leaves the submenu on its way, and shuts it.
  fireEvent.click(within(menu).getByRole("menuitem", { name: word }))
}

const twelve = () =>
  Array.from({ length: 11 }, (_, at) =>
    clientRecord({ _id: `client-${at}`, name: `Client ${at}`, clientId: `C00${10 + at}` }),
  )

test("a status is saved at once, shown at once, and Undo takes it back", async () => {
  const rows = [userRecord()]
  keepList("/users", rows)
  const calls = answerBy("put", "/users/edit", ({ body }) => {
    rows[0] = { ...rows[0]!, ...(body as object) }
    return { success: true, message: "User updated successfully", data: rows[0] }
  })
  const { user } = await openPeople()

  await choose(user, "Ravi Deshmukh", "Inactive")

  expect(await screen.findByText("INACTIVE")).toBeVisible()
  await waitFor(() => expect(toastMessages()).toEqual(["User updated successfully"]))
  await user.click(screen.getByRole("button", { name: "Undo" }))
  expect(await screen.findByText("ACTIVE")).toBeVisible()
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls.map((call) => call.body)).toEqual([
    { id: "user-1", status: "INACTIVE" },
    { id: "user-1", status: "ACTIVE" },
  ])
})

test("the submenu is reached by keyboard, and the focus comes back to the row", async () => {
  keepList("/clients", [clientRecord()])
  const calls = answerBy("put", "/clients/edit", () => ({
    success: true,
    message: "Client updated successfully",
    data: clientRecord({ status: "INACTIVE" }),
  }))
  const { user } = await openPeople("?tab=clients")
  const button = await screen.findByRole("button", { name: "Actions for Asha Rao" })
  button.focus()

  await user.keyboard("{Enter}")
  const status = await screen.findByRole("menuitem", { name: "Status" })
  await user.keyboard("{ArrowDown}")
  await waitFor(() => expect(status).toHaveFocus())
  await user.keyboard("{ArrowRight}")
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Inactive" })).toHaveFocus())
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls[0]?.body).toEqual({ id: "client-1", status: "INACTIVE" }))
  await waitFor(() => expect(button).toHaveFocus())
})

test("a refused status goes back to what it was, and the server's reason is shown", async () => {
  keepList("/users", [userRecord()])
  refuse("put", "/users/edit", 409, "At least one active administrator is required.")
  const { user } = await openPeople()

  await choose(user, "Ravi Deshmukh", "Inactive")

  await waitFor(() => expect(toastMessages()).toEqual(["Failed to update status"]))
  expect(details()).toEqual(["At least one active administrator is required."])
  expect(await screen.findByText("ACTIVE")).toBeVisible()
})

test("a status that cannot be sent says so in other words", async () => {
  keepList("/clients", [clientRecord()])
  breakOff("put", "/clients/edit")
  const { user } = await openPeople("?tab=clients")

  await choose(user, "Asha Rao", "Inactive")

  await waitFor(() => expect(toastMessages()).toEqual(["Error updating status"]))
  expect(await screen.findByText("ACTIVE")).toBeVisible()
})

test("nobody can switch off or delete the own account", async () => {
  keepList("/users", [ownRecord])
  const { user } = await openPeople()

  const menu = await statusMenu(user, "Meera Nair")

  for (const word of ["Active", "Inactive", "Delete"]) {
    expect(within(menu).getByRole("menuitem", { name: word })).toHaveAttribute(
      "data-disabled",
      "true",
    )
  }
})

test("deleting asks first, and Cancel leaves everything as it is", async () => {
  keepList("/clients", [clientRecord()])
  const { user } = await openPeople("?tab=clients")

  await choose(user, "Asha Rao", "Delete")
  const dialog = await screen.findByRole("dialog", { name: "Delete Asha Rao?" })
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }))

  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(screen.getByText("Asha Rao")).toBeVisible()
})

test("deleting the last row of a page goes to the page before, and the search holds", async () => {
  const rows = twelve()
  keepList("/clients", rows)
  const calls = answerBy("post", "/clients/delete", ({ body }) => {
    const { clientId } = body as { clientId: string }
    rows.find((row) => row._id === clientId)!.deletedAt = "2026-11-21T00:00:00Z"
    return { success: true, message: "Client deleted successfully" }
  })
  const { user, router } = await openPeople("?tab=clients&page=2&query=client")
  await screen.findByText("11–11 of 11")

  await choose(user, "Client 10", "Delete")
  await user.click(await screen.findByRole("button", { name: "OK" }))

  expect(await screen.findByText("1–10 of 10")).toBeVisible()
  expect(calls[0]!.body).toEqual({ clientId: "client-10", version: 2 })
  expect(toastMessages()).toEqual(["Client deleted successfully"])
  expect(router.state.location.search).toEqual({ tab: "clients", query: "client" })
  expect(screen.getByLabelText("Search clients")).toHaveValue("client")
})

test("a status change keeps page, search and order", async () => {
  const rows = twelve()
  keepList("/clients", rows)
  answerBy("put", "/clients/edit", ({ body }) => {
    const { id } = body as { id: string }
    rows.find((row) => row._id === id)!.status = "INACTIVE"
    return { success: true, message: "Client updated successfully", data: rows[10]! }
  })
  const { user, router } = await openPeople("?tab=clients&page=2&query=client&sort=name")

  await choose(user, "Client 10", "Inactive")

  expect(await screen.findByText("INACTIVE")).toBeVisible()
  expect(router.state.location.search).toEqual({
    tab: "clients",
    page: 2,
    query: "client",
    sort: "name",
  })
})

test("a failed deletion keeps the row and says why", async () => {
  keepList("/clients", [clientRecord()])
  refuse("post", "/clients/delete", 409, "This record was changed by someone else.")
  const { user } = await openPeople("?tab=clients")

  await choose(user, "Asha Rao", "Delete")
  await user.click(await screen.findByRole("button", { name: "OK" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Failed to delete, some error occurred"]))
  expect(details()).toEqual(["This record was changed by someone else."])
  expect(screen.getByText("Asha Rao")).toBeVisible()
})

test("an administrator finds the deleted ones and restores them", async () => {
  const rows = [clientRecord({ deletedAt: "2026-11-21T05:00:00Z" })]
  keepList("/clients", rows)
  const calls = answerBy("post", "/admin/clients/:id/restore", () => {
    rows[0]!.deletedAt = null
    return { success: true, message: "Client restored successfully" }
  })
  const { user, router } = await openPeople("?tab=clients")
  await user.click(await screen.findByRole("button", { name: "Deleted" }))
  expect(await screen.findByText("21/11/2026 10:30 IST")).toBeVisible()
  expect(router.state.location.search).toEqual({ tab: "clients", view: "deleted" })

  await user.choose("Actions for Asha Rao", "Restore")

  await waitFor(() => expect(toastMessages()).toEqual(["Client restored successfully"]))
  expect(calls[0]!.path).toBe("/api/v1/admin/clients/client-1/restore")
  expect(
    await screen.findByText("Deleted clients appear here until you restore them."),
  ).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Current" }))
  expect(await screen.findByText("Asha Rao")).toBeVisible()
})

test("a restore that is refused says why", async () => {
  keepList("/users", [userRecord({ deletedAt: "2026-11-21T05:00:00Z" })])
  const sentence = "This email address now belongs to another record. Delete that one first."
  refuse("post", "/admin/users/:id/restore", 409, sentence)
  const { user } = await openPeople("?view=deleted")

  await user.choose("Actions for Ravi Deshmukh", "Restore")

  await waitFor(() => expect(toastMessages()).toEqual([sentence]))
})

test("a USER deletes a client without an offer to take it back", async () => {
  keepList("/clients", [clientRecord()])
  answerBy("post", "/clients/delete", () => ({
    success: true,
    message: "Client deleted successfully",
  }))
  const { user } = await openPeople("", "USER")

  await choose(user, "Asha Rao", "Delete")
  await user.click(await screen.findByRole("button", { name: "OK" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Client deleted successfully"]))
  expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument()
})
