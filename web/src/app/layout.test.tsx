import { act, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { beat } from "@/live/feed"
import { answer, answerBy, breakOff, refuse } from "@/testing/server"
import { clientProfile, pageOf } from "@/testing/clients"
import { setScreenWidth } from "@/testing/screen-width"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
  answer("get", "/admin/dashboard/stats", null)
  answer("get", "/admin/dashboard/stocks-distribution", [])
  answer("get", "/admin/dashboard/daily-aum", [])
})

const settings = () => showApp("/home/settings", { role: "ADMIN" })

test("the screen names itself in the heading, the tab and the sidebar", async () => {
  await settings()

  expect(screen.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible()
  expect(document.title).toBe("Settings · Tarazu")
  expect(screen.getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page")
  expect(screen.getByRole("link", { name: "Dashboard" })).not.toHaveAttribute("aria-current")
})

test("settings show the profile and the registration", async () => {
  await settings()

  const main = within(screen.getByRole("main"))
  for (const fact of ["Meera Nair", "meera@example.in", "ADMIN", "INH000012345", "14 Feb 2024"]) {
    expect(await main.findByText(fact)).toBeVisible()
  }
})

test("simulated prices are marked in the header of every screen", async () => {
  await settings()

  act(() => beat({ at: "2026-11-20T10:00:00Z", source: "SIMULATED", live: true }))

  expect(within(screen.getByRole("banner")).getByText("Simulated prices")).toBeVisible()
})

test("on a phone the mark is under the header, and the sidebar is a drawer", async () => {
  setScreenWidth(390)
  const { user } = await settings()
  act(() => beat({ at: "2026-11-20T10:00:00Z", source: "SIMULATED", live: true }))

  expect(screen.getByText("Simulated prices")).toBeVisible()
  expect(screen.queryByRole("link", { name: "Dashboard" })).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Open menu" }))
  await user.click(await screen.findByRole("link", { name: "Dashboard" }))

  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test("the sidebar narrows and stays so", async () => {
  const { user, unmount } = await settings()

  await user.click(screen.getByRole("button", { name: "Collapse sidebar" }))
  expect(screen.getByRole("link", { name: "Dashboard" })).toHaveTextContent("")
  unmount()
  await settings()

  expect(screen.getByRole("button", { name: "Expand sidebar" })).toBeVisible()
})

test("G and a letter go to a screen, but not from a field", async () => {
  const { user, router } = await settings()
  // The second key counts for a while only, which a busy machine may let pass.
  vi.spyOn(Date, "now").mockReturnValue(Date.now())

  await user.keyboard("gd")
  await waitFor(() => expect(router.state.location.pathname).toBe("/home/dashboard"))
  await user.keyboard("gs")
  await waitFor(() => expect(router.state.location.pathname).toBe("/home/settings"))
})

test("Shift H hides every sum until it is pressed again", async () => {
  answer("get", "/admin/dashboard/stats", {
    totalClients: 3,
    totalCurrentAUM: 1240000,
    fees: 0,
    totalCashHoldings: 0,
  })
  const { user } = await showApp("/home/dashboard", { role: "ADMIN" })
  const aum = screen.getByRole("group", { name: "Total AUM" })
  await waitFor(() => expect(aum).toHaveTextContent("₹12.40 L"))

  await user.keyboard("{Shift>}H{/Shift}")
  expect(aum).toHaveTextContent("₹••••")
  expect(aum).not.toHaveTextContent("12")

  await user.click(screen.getByRole("button", { name: "Show amounts" }))
  expect(aum).toHaveTextContent("₹12.40 L")
})

test("? lists the keys", async () => {
  const { user } = await settings()

  await user.keyboard("?")

  expect(await screen.findByRole("dialog", { name: "Help" })).toHaveTextContent("Go to Dashboard")
})

test("the palette finds a client by code and opens the profile", async () => {
  answer("get", "/instruments/search", [])
  const calls = answerBy("get", "/admin/clients", () => ({
    success: true,
    data: [
      {
        _id: "id-7",
        clientId: "C1007",
        name: "Venkatesh Fernandes",
        totalPortfolio: 2204179.87,
        totalInvestment: 0,
        netPnL: 0,
        netPnLPercentage: 0,
        NetCashAmount: 0,
        isConnected: false,
        status: "ACTIVE",
      },
    ],
    pagination: { currentPage: 1, totalPages: 1, totalUsers: 1, limit: 6 },
  }))
  const { user } = await settings()

  await user.keyboard("{Control>}k{/Control}")
  await user.fill(await screen.findByPlaceholderText("Client code, name, stock or screen"), "1007")
  expect(await screen.findByText("C1007 · ₹22.04 L")).toBeVisible()
  expect(screen.getByText("Send advice to C1007")).toBeVisible()
  await user.click(screen.getByText("Venkatesh Fernandes"))

  await waitFor(() => expect(session.get("clientId")).toBe("id-7"))
  expect(session.get("username")).toBe("C1007")
  expect(calls.at(-1)?.search.get("query")).toBe("1007")
})

test("the chosen colours are remembered and painted", async () => {
  const { user } = await settings()

  await user.click(screen.getByRole("button", { name: "Dark" }))
  await user.click(screen.getByLabelText("Blue and orange"))

  const root = document.documentElement
  expect(root).toHaveAttribute("data-mantine-color-scheme", "dark")
  expect(root).toHaveAttribute("data-palette", "blue-orange")
  expect(localStorage.getItem("tarazu.appearance")).toBe(
    JSON.stringify({ scheme: "dark", palette: "blue-orange" }),
  )
})

test("Logout ends the session on the server and here", async () => {
  const calls = answer("post", "/auth/logout", null)
  const { user, router } = await settings()

  await user.click(screen.getByRole("button", { name: "Logout" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  expect(calls).toHaveLength(1)
  expect(session.get("token")).toBeNull()
  expect(session.get("role")).toBeNull()
  expect(toasts.get()).toEqual([])
})

test.each([
  ["what the server says", "The database is busy.", "The database is busy."],
  ["Logout failed where it says nothing", "", "Logout failed"],
  ["Logout failed where nothing is reached", null, "Logout failed"],
])("a logout that fails tells %s, and logs out here", async (_, message, toastMessage) => {
  if (message === null) breakOff("post", "/auth/logout")
  else refuse("post", "/auth/logout", 500, message)
  const { user, router } = await settings()

  await user.click(screen.getByRole("button", { name: "Logout" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  expect(toasts.get().map((each) => each.message)).toEqual([toastMessage])
  expect(session.get("token")).toBeNull()
})

test.each([
  ["/home/client/details", "Client Details"],
  ["/home/client/profile", "Client Details"],
  ["/home/advice", "Advice"],
  ["/home/advice-preview", "Advice"],
])("%s lights %s in the sidebar", async (address, name) => {
  session.set("clientId", "id-1")
  answer("get", "/admin/clients", [], pageOf(0))
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  answer("get", "/admin/remarks/client/id-1", [])
  answer("get", "/admin/broker", { isConnected: false })
  answer("get", "/brokers", [])

  await showApp(address, { role: "ADMIN" })

  const nav = within(screen.getByRole("navigation", { name: "Screens" }))
  expect(nav.getByRole("link", { name })).toHaveAttribute("aria-current", "page")
  expect(nav.getByRole("link", { name: "Dashboard" })).not.toHaveAttribute("aria-current")
})

test("a USER finds no Advice in the sidebar", async () => {
  signedIn("USER")
  await showApp("/home/settings", { role: "USER" })

  expect(screen.getByRole("link", { name: "Client Details" })).toBeVisible()
  expect(screen.queryByRole("link", { name: "Advice" })).toBeNull()
})
