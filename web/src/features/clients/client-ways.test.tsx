import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseClient, session } from "@/api/session"
import { clientProfile, clientRow, pageOf } from "@/testing/clients"
import { answer, breakOff, hang } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"

const profile = "/admin/clients/client/id-1/profile"

test("/home/client leads to the list", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))

  const { router } = await showApp("/home/client", { role: "ADMIN" })

  expect(router.state.location.pathname).toBe("/home/client/details")
  expect(await screen.findByRole("heading", { level: 1, name: "Client Details" })).toBeVisible()
})

test("while the list is fetched it says so", async () => {
  signedIn()
  hang("get", "/admin/clients")

  await showApp("/home/client/details", { role: "USER" })

  expect(screen.getByText("Fetching Data...")).toBeInTheDocument()
})

test("View Detail keeps the client's id and code and opens the profile", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))
  answer("get", profile, clientProfile())
  answer("get", "/admin/remarks/client/id-1", [])
  const { user, router } = await showApp("/home/client/details", { role: "USER" })

  await user.click(await screen.findByRole("button", { name: "Actions for Asha Rao" }))
  await user.click(await screen.findByRole("menuitem", { name: "View Detail" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/profile"))
  expect([session.get("clientId"), session.get("username")]).toEqual(["id-1", "C0001"])
})

test("the list has 10, 20, 50 or 100 rows on a page, and another size begins at the first", async () => {
  signedIn()
  const calls = answer("get", "/admin/clients", [clientRow()], pageOf(120))
  const { user } = await showApp("/home/client/details?page=2", { role: "ADMIN" })
  await screen.findByText("51–100 of 120")
  const sizes = screen.getByLabelText("Rows on a page")
  expect(
    within(sizes)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["10", "20", "50", "100"])

  await user.selectOptions(sizes, "20")

  await waitFor(() => expect(calls.at(-1)!.search.get("limit")).toBe("20"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
})

test("a client has five tabs, and the one that is open names the screen", async () => {
  chooseClient("id-1", "C0001")
  signedIn()
  answer("get", profile, clientProfile())
  answer("get", "/admin/remarks/client/id-1", [])

  await showApp("/home/client/profile", { role: "USER" })

  const tabs = within(screen.getByRole("navigation", { name: "Client" })).getAllByRole("link")
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute("href")])).toEqual([
    ["Profile", "/home/client/profile"],
    ["Portfolio", "/home/client/portfolio"],
    ["Fees", "/home/client/fees"],
    ["Order Book", "/home/client/order-book"],
    ["Advice History", "/home/client/advice-history"],
  ])
  expect(screen.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible()
  expect(screen.getByRole("heading", { level: 2, name: "Remarks" })).toBeVisible()
})

test("a profile that cannot be loaded shows the error in its place, without a toast", async () => {
  chooseClient("id-1", "C0001")
  signedIn()
  breakOff("get", profile)
  answer("get", "/admin/remarks/client/id-1", [])

  await showApp("/home/client/profile", { role: "USER" })

  expect((await screen.findAllByRole("alert"))[0]).toHaveTextContent(
    "Network error. Check your connection and try again.",
  )
  expect(toasts.get()).toEqual([])
})
