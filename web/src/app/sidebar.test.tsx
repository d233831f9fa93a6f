import { act, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const nav = () => within(screen.getByRole("navigation", { name: "Screens" }))
const entries = () =>
  nav()
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")])

const screensOfAll = [
  ["Dashboard", "/home/dashboard"],
  ["Client Details", "/home/client/details"],
  ["Readiness", "/home/readiness"],
  ["Corporate actions", "/home/corporate-actions"],
  ["Follow-up", "/home/follow-up"],
  ["Models", "/home/models"],
  ["Fees", "/home/fees"],
  ["Broker & Exchange", "/home/broker-details"],
  ["Roles & Permission", "/home/roles-permission"],
  ["Settings", "/home/settings"],
]

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

test("an ADMIN finds every screen in its order, and the way out", async () => {
  await showApp("/home/settings", { role: "ADMIN" })

  expect(entries()).toEqual([
    ...screensOfAll.slice(0, 4),
    ["Advice", "/home/advice"],
    ...screensOfAll.slice(4, 7),
    ["Compliance", "/home/compliance"],
    ...screensOfAll.slice(7),
  ])
  expect(screen.getByRole("button", { name: "Logout" })).toBeVisible()
})

test("a USER finds every screen but Advice and Compliance", async () => {
  signedIn("USER")
  ownSettingsAnswered("USER")

  await showApp("/home/settings", { role: "USER" })

  expect(entries()).toEqual(screensOfAll)
})

test("a USER of teams finds no screen that is of all clients", async () => {
  signedIn("USER")
  const person = { role: "USER", name: "Meera Nair", email: "meera@example.in", teams: ["North"] }
  answer("get", "/auth/verify-token", person)
  ownSettingsAnswered("USER")

  const { user, router } = await showApp("/home/settings", { role: "USER" })

  await waitFor(() =>
    expect(entries()).toEqual(screensOfAll.filter(([label]) => label !== "Corporate actions")),
  )
  await user.keyboard("go")
  await act(() => router.load())
  expect(router.state.location.pathname).toBe("/home/settings")
})

test.each(["/home/broker-details", "/home/broker-exchange"])(
  "%s lights Broker & Exchange alone",
  async (address) => {
    answer("get", "/brokers", [])
    answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })

    const { router } = await showApp(address, {
      role: "ADMIN",
      state: { brokerName: "Zerodha", brokerId: null },
    })

    expect(router.state.location.pathname).toBe(address)
    const lit = nav()
      .getAllByRole("link")
      .filter((link) => link.hasAttribute("aria-current"))
    expect(lit.map((link) => link.textContent)).toEqual(["Broker & Exchange"])
  },
)

test.each([
  ["ADMIN", "/home/settings?section=firm"],
  ["USER", null],
] as const)(
  "before the firm is entered, %s reads so and an ADMIN is led there",
  async (role, to) => {
    signedIn(role)
    ownSettingsAnswered(role)
    answer("get", "/firm", { ...firm, registrationNumber: "", analystName: "" })

    await showApp("/home/settings", { role })

    expect(await screen.findByText(/Registration not entered/)).toBeVisible()
    const lead = screen.queryByRole("link", { name: "Enter firm details" })
    expect(lead?.getAttribute("href") ?? null).toBe(to)
  },
)
