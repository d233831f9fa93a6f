import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseClient, session } from "@/api/session"
import { clientProfile, clientRow, pageOf } from "@/testing/clients"
import { clientRecord, keepList } from "@/testing/people"
import { answer, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"
import { titleOf } from "./client-tabs"

const profilePath = "/admin/clients/client/id-1/profile"
const first = clientProfile()
const second = clientProfile({
  _id: "id-2",
  clientId: "C0002",
  name: "Ravi Iyer",
  previousClientId: "id-1",
  nextClientId: null,
})

async function showProfile(role: "ADMIN" | "USER" = "ADMIN", path = "profile") {
  signedIn(role)
  answer("get", "/admin/clients/client/id-1/profile", first)
  answer("get", "/admin/clients/client/id-2/profile", second)
  answer("get", "/admin/remarks/client/:id", [])
  return showApp(`/home/client/${path}`, { role })
}

test.each([
  ["/home/client/profile", "Profile"],
  ["/home/client/advice-history", "Advice History"],
  ["/home/client/order-book/", "Order Book"],
])("the title of %s is %s", (path, title) => {
  expect(titleOf(path)).toBe(title)
})

test("without a chosen client the list is shown", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))

  const { router } = await showApp("/home/client/portfolio", { role: "ADMIN" })

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/details"))
})

test("the title is the tab's, and the browser's tab names the client", async () => {
  chooseClient("id-1", "C0001")

  await showProfile()

  expect(await screen.findByRole("heading", { level: 1, name: "Profile" })).toBeVisible()
  await waitFor(() => expect(document.title).toBe("Profile · Asha Rao · Tarazu"))
  expect(screen.getByRole("link", { name: "Profile" })).toHaveAttribute("aria-current", "page")
})

test("the next client is shown in the same tab", async () => {
  chooseClient("id-1", "C0001")
  answer("get", "/admin/advice/clients/:id", [], pageOf(0, 200))
  const { user, router } = await showProfile("ADMIN", "advice-history")
  await screen.findByRole("heading", { name: "Asha Rao" })

  await user.click(screen.getByRole("button", { name: "Next client (])" }))

  await screen.findByRole("heading", { name: "Ravi Iyer" })
  expect(session.get("clientId")).toBe("id-2")
  expect(session.get("username")).toBe("C0002")
  expect(router.state.location.pathname).toBe("/home/client/advice-history")
  expect(screen.getByRole("button", { name: "Next client (])" })).toBeDisabled()
})

test("the keys [ and ] step too", async () => {
  chooseClient("id-1", "C0001")
  const { user } = await showProfile()
  await screen.findByRole("heading", { name: "Asha Rao" })

  await user.keyboard("]")
  await screen.findByRole("heading", { name: "Ravi Iyer" })
  await user.keyboard("[[")

  expect(await screen.findByRole("heading", { name: "Asha Rao" })).toBeVisible()
})

test("Send Advice takes an ADMIN to the form with the client's code", async () => {
  chooseClient("id-1", "C0001")
  const { user, router } = await showProfile()
  answer("get", "/admin/broker", { isConnected: false })
  refuse("get", "/admin/advice/clients/by-code/:code/holdings", 404, "Not found")

  await user.click(await screen.findByRole("button", { name: "Send Advice" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  expect(router.state.location.state.username).toBe("C0001")
})

test("a USER, and an ADMIN without a stored code, see no Send Advice", async () => {
  chooseClient("id-1", "C0001")
  const { unmount } = await showProfile("USER")
  await screen.findByRole("heading", { name: "Asha Rao" })
  expect(screen.queryByRole("button", { name: "Send Advice" })).toBeNull()
  unmount()

  session.remove("username")
  await showProfile("ADMIN")
  await screen.findByRole("heading", { name: "Asha Rao" })
  expect(screen.queryByRole("button", { name: "Send Advice" })).toBeNull()
})

test("a client who is no longer there is said so, with a way back", async () => {
  chooseClient("gone", "C0009")
  signedIn()
  answer("get", "/admin/remarks/client/gone", [])
  refuse("get", "/admin/clients/client/gone/profile", 404, "Client not found")

  await showApp("/home/client/profile", { role: "ADMIN" })

  expect(await screen.findByText("Client not found")).toBeVisible()
  expect(screen.getByRole("button", { name: "All clients" })).toBeVisible()
})

test("/home/client leads to the list", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))

  const { router } = await showApp("/home/client", { role: "ADMIN" })

  expect(router.state.location.pathname).toBe("/home/client/details")
  expect(await screen.findByRole("heading", { level: 1, name: "Client Details" })).toBeVisible()
})

test("a client has seven tabs, and the one that is open names the screen", async () => {
  chooseClient("id-1", "C0001")

  await showProfile("USER")

  const tabs = within(screen.getByRole("navigation", { name: "Client" })).getAllByRole("link")
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute("href")])).toEqual([
    ["Profile", "/home/client/profile"],
    ["Portfolio", "/home/client/portfolio"],
    ["Fees", "/home/client/fees"],
    ["Order Book", "/home/client/order-book"],
    ["Advice History", "/home/client/advice-history"],
    ["Tax", "/home/client/tax"],
    ["Papers", "/home/client/papers"],
  ])
  expect(screen.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible()
  expect(screen.getByRole("heading", { level: 2, name: "Remarks" })).toBeVisible()
})

test("a profile that cannot be loaded shows the error in its place, without a toast", async () => {
  chooseClient("id-1", "C0001")
  signedIn()
  breakOff("get", profilePath)
  answer("get", "/admin/remarks/client/id-1", [])

  await showApp("/home/client/profile", { role: "USER" })

  expect((await screen.findAllByRole("alert"))[0]).toHaveTextContent(
    "Network error. Check your connection and try again.",
  )
  expect(toasts.get()).toEqual([])
})

test("Edit opens the dialog of the client's record, and the page shows what was saved", async () => {
  chooseClient("id-1", "C0001")
  const record = clientRecord({ _id: "id-1", family: "Rao" })
  keepList("/clients", [record])
  const calls = answer("put", "/clients/edit", { ...record, name: "Asha Rao Shah", version: 3 })
  const { user } = await showProfile("USER")
  await screen.findByRole("heading", { name: "Asha Rao" })

  await user.click(screen.getByRole("button", { name: "Edit" }))
  const dialog = await screen.findByRole("dialog", { name: "Edit Client" })
  expect(within(dialog).getByLabelText("Family")).toHaveValue("Rao")
  await user.refill(within(dialog).getByLabelText("Name"), "Asha Rao Shah")
  answer("get", profilePath, { ...first, name: "Asha Rao Shah" })
  await user.click(within(dialog).getByRole("button", { name: "Submit" }))

  expect(await screen.findByRole("heading", { name: "Asha Rao Shah" })).toBeVisible()
  expect(calls[0]?.body).toMatchObject({ id: "id-1", name: "Asha Rao Shah", version: 2 })
})

test("the sample client is marked on each of its screens and removed with one click", async () => {
  chooseClient("id-1", "C0000")
  signedIn("ADMIN")
  const sample = clientProfile({ clientId: "C0000", status: "SAMPLE", nextClientId: null })
  answer("get", profilePath, sample)
  answer("get", "/admin/remarks/client/:id", [])
  answer("get", "/admin/clients", [clientRow()], pageOf(1))
  const removed = answer("post", "/clients/delete", undefined, {
    message: "Client deleted successfully",
  })
  const { user, router } = await showApp("/home/client/profile", { role: "ADMIN" })

  expect(await screen.findByText("SAMPLE")).toBeVisible()
  const notice = screen.getByText(/counts in no figure of the firm and gets\s+no advice/)
  expect(notice).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Remove" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/details"))
  expect(removed[0]?.body).toEqual({ clientId: "id-1" })
})
