import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { answer, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const zerodha = {
  _id: "z1",
  name: "ZERODHA",
  description: "Kite Connect",
  logo: "",
  status: "ACTIVE",
  missing: [] as string[],
}
const away = { isConnected: false, broker: null, connectedUntil: null }
const card = (name: string) => within(screen.getByRole("region", { name }))

async function openList(role: "ADMIN" | "USER" = "ADMIN") {
  signedIn(role)
  answer("get", "/admin/broker", away)
  return showApp("/home/broker-details", { role })
}

test("a broker that was added is viewed, the other added", async () => {
  answer("get", "/brokers", [zerodha])
  await openList()

  expect(await card("Zerodha").findByRole("button", { name: "View" })).toBeVisible()
  expect(card("Zerodha").getByText("Kite Connect")).toBeVisible()
  expect(card("Zerodha").getByText("ACTIVE")).toBeVisible()
  expect(screen.queryByText(/missing/)).toBeNull()
  expect(card("Angel One").getByRole("button", { name: "Add Broker" })).toBeVisible()
  expect(screen.getByRole("heading", { level: 1, name: "Broker & Exchange" })).toBeVisible()
})

test("View hands on the broker's name and id, Add Broker a null", async () => {
  answer("get", "/brokers", [zerodha])
  answer("get", "/brokers/:id", {
    ...zerodha,
    apiKey: "k",
    apiSecret: "",
    apiSecretSet: false,
    apiUrl: "",
    isRenewSessionAllowed: false,
    version: 1,
  })
  const { user, router } = await openList()

  await user.click(await card("Zerodha").findByRole("button", { name: "View" }))
  expect(router.state.location.pathname).toBe("/home/broker-exchange")
  expect(router.state.location.state).toMatchObject({ brokerName: "Zerodha", brokerId: "z1" })

  await user.click(await screen.findByRole("button", { name: "Back" }))
  await user.click(await card("Angel One").findByRole("button", { name: "Add Broker" }))
  expect(router.state.location.state).toMatchObject({ brokerName: "Angel One", brokerId: null })
})

test.each([
  [["API_SECRET"], "API secret missing. Nobody can log in until then."],
  [["API_KEY", "API_SECRET"], "API key and API secret missing. Nobody can log in until then."],
])("a record that lacks %s says so", async (missing, words) => {
  answer("get", "/brokers", [{ ...zerodha, missing }])
  await openList("USER")

  expect(await card("Zerodha").findByText(words)).toBeVisible()
  expect(card("Angel One").queryByText(/missing/)).toBeNull()
})

const connected = {
  isConnected: true,
  broker: "ZERODHA",
  connectedUntil: "2026-11-21T00:30:00Z",
}

async function openConnected(role: "ADMIN" | "USER" = "ADMIN") {
  signedIn(role)
  answer("get", "/brokers", [zerodha])
  answer("get", "/admin/broker", connected)
  const shown = await showApp("/home/broker-details", { role })
  await card("Zerodha").findByText("Connected until 21/11/2026 06:00 IST")
  return shown
}

test("an ADMIN logs the firm out, after a question", async () => {
  const { user } = await openConnected()
  const sent = answer("post", "/admin/broker/logout", away, { message: "Logged out at the broker" })

  expect(card("Angel One").queryByRole("button", { name: "Log out" })).toBeNull()
  await user.click(card("Zerodha").getByRole("button", { name: "Log out" }))
  const dialog = await screen.findByRole("dialog", { name: "Log out at Zerodha?" })
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }))
  expect(sent).toHaveLength(0)

  await user.click(card("Zerodha").getByRole("button", { name: "Log out" }))
  answer("get", "/admin/broker", away)
  const again = await screen.findByRole("dialog", { name: "Log out at Zerodha?" })
  await user.click(within(again).getByRole("button", { name: "Log out" }))

  expect(await screen.findByText("Logged out at the broker")).toBeVisible()
  expect(sent).toHaveLength(1)
  expect(card("Zerodha").queryByText(/Connected until/)).toBeNull()
  expect(card("Zerodha").queryByRole("button", { name: "Log out" })).toBeNull()
})

test("a log-out that is refused says why, and the card follows the server", async () => {
  const { user } = await openConnected()
  refuse("post", "/admin/broker/logout", 409, "The firm is not logged in at a broker.")

  await user.click(card("Zerodha").getByRole("button", { name: "Log out" }))
  answer("get", "/admin/broker", away)
  const dialog = await screen.findByRole("dialog", { name: "Log out at Zerodha?" })
  await user.click(within(dialog).getByRole("button", { name: "Log out" }))

  expect(await screen.findByText("The firm is not logged in at a broker.")).toBeVisible()
  await waitFor(() => expect(card("Zerodha").queryByText(/Connected until/)).toBeNull())
})

test("a USER sees until when the firm is logged in, and cannot end it", async () => {
  await openConnected("USER")

  expect(screen.queryByRole("button", { name: "Log out" })).toBeNull()
})

test("while the list loads no button is there to mislead", async () => {
  hang("get", "/brokers")
  await openList()

  expect(screen.getByRole("region", { name: "Zerodha" })).toBeVisible()
  expect(screen.queryByRole("button", { name: /View|Add Broker/ })).toBeNull()
})

test("a list that cannot be loaded stays empty, and may be tried again", async () => {
  refuse("get", "/brokers", 500, "Something went wrong")
  const { user } = await openList()

  expect(await screen.findByText("Failed to fetch data")).toBeVisible()
  // Whether a broker was added is not known, so nothing says that it was not.
  expect(screen.queryByRole("button", { name: "Add Broker" })).toBeNull()
  answer("get", "/brokers", [zerodha])
  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await card("Zerodha").findByRole("button", { name: "View" })).toBeVisible()
})

test("G and B go there", async () => {
  answer("get", "/brokers", [])
  signedIn()
  answer("get", "/admin/broker", away)
  ownSettingsAnswered()
  const { user, router } = await showApp("/home/settings", { role: "ADMIN" })

  await user.keyboard("gb")

  expect(await screen.findByRole("region", { name: "Angel One" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/home/broker-details")
})
