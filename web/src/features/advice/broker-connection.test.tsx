import { screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import * as leaving from "@/lib/leave"
import { adviceAnswered } from "@/testing/advice-rows"
import { answer, answerLater, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"

const connected = {
  isConnected: true,
  broker: "ZERODHA",
  connectedUntil: "2026-11-21T00:30:00Z",
}
const broker = (name: string, status = "ACTIVE") => ({
  _id: `id-of-${name}`,
  name,
  description: "",
  logo: "",
  status,
})
const loginUrl = "https://kite.zerodha.com/connect/login?v=3&api_key=k&redirect_params=state%3Ds"
const button = (name: string) => screen.findByRole("button", { name })

/** A new tab, as the browser gives it. */
function openableTab() {
  const tab = { location: { replace: vi.fn() }, close: vi.fn() }
  const open = vi.spyOn(window, "open").mockReturnValue(tab as never)
  return { tab, open }
}

beforeEach(() => {
  adviceAnswered()
})
afterEach(() => vi.restoreAllMocks())

test("Connect Broker opens the broker's log-in in a tab that takes this session along", async () => {
  answer("get", "/brokers", [broker("ZERODHA"), broker("ANGEL_ONE", "INACTIVE")])
  const calls = answer("get", "/admin/broker/login-url", { broker: "ZERODHA", url: loginUrl })
  const { tab, open } = openableTab()
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await user.click(await button("Connect Broker"))

  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(loginUrl))
  expect(open).toHaveBeenCalledWith("about:blank", "_blank")
  expect(calls[0]?.search.get("broker")).toBeNull()
})

test("with two brokers in use it asks at which", async () => {
  answer("get", "/brokers", [broker("ANGEL_ONE"), broker("ZERODHA")])
  const calls = answer("get", "/admin/broker/login-url", { broker: "ANGEL_ONE", url: loginUrl })
  const { tab } = openableTab()
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await waitFor(async () =>
    expect(await button("Connect Broker")).toHaveAttribute("aria-haspopup", "menu"),
  )
  await user.click(await button("Connect Broker"))
  await user.click(await screen.findByRole("menuitem", { name: "Angel One" }))

  await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
  expect(calls[0]?.search.get("broker")).toBe("ANGEL_ONE")
})

test.each([
  ["one broker", [broker("ZERODHA")]],
  ["two", [broker("ANGEL_ONE"), broker("ZERODHA")]],
])("pressed before the brokers are loaded (%s), it waits, then opens", async (_, brokers) => {
  const { answerNow } = answerLater("get", "/brokers", brokers)
  const calls = answer("get", "/admin/broker/login-url", { broker: "ZERODHA", url: loginUrl })
  const { tab } = openableTab()
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await user.click(await button("Connect Broker"))
  expect(await button("Connect Broker")).toBeDisabled()
  expect(calls).toHaveLength(0)
  answerNow()
  if (brokers.length > 1) await user.click(await screen.findByRole("menuitem", { name: "Zerodha" }))

  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(loginUrl))
})

test("a press that began before the brokers were known is not lost", async () => {
  const { answerNow } = answerLater("get", "/brokers", [broker("ANGEL_ONE"), broker("ZERODHA")])
  const { user, queryClient } = await showApp("/home/advice", { role: "ADMIN" })
  const pressed = await button("Connect Broker")
  await user.pointer({ target: pressed, keys: "[MouseLeft>]" })
  answerNow()
  await waitFor(() => expect(queryClient.getQueryData(["brokers"])).toHaveLength(2))

  expect(await button("Connect Broker")).toBe(pressed)
  await user.pointer({ target: pressed, keys: "[/MouseLeft]" })

  expect(await screen.findByRole("menuitem", { name: "Zerodha" })).toBeVisible()
})

test("a failure to load brokers is shown, and the button can be pressed again", async () => {
  refuse("get", "/brokers", 500, "Something went wrong")
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await user.click(await button("Connect Broker"))

  expect(await screen.findByText("Failed to connect broker")).toBeVisible()
  expect(await button("Connect Broker")).toBeEnabled()
})

test("where no tab may be opened, this one goes to the broker", async () => {
  answer("get", "/admin/broker/login-url", { broker: "ZERODHA", url: loginUrl })
  vi.spyOn(window, "open").mockReturnValue(null)
  const leave = vi.spyOn(leaving, "leaveTo").mockImplementation(() => undefined)
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await user.click(await button("Connect Broker"))

  await waitFor(() => expect(leave).toHaveBeenCalledWith(loginUrl))
})

test("a log-in that cannot begin closes the tab and says why", async () => {
  refuse("get", "/admin/broker/login-url", 409, "Add the broker in Broker & Exchange first.")
  const { tab } = openableTab()
  const { user } = await showApp("/home/advice", { role: "ADMIN" })

  await user.click(await button("Connect Broker"))

  expect(await screen.findByText("Failed to connect broker")).toBeVisible()
  expect(screen.getByText("Add the broker in Broker & Exchange first.")).toBeVisible()
  expect(tab.close).toHaveBeenCalled()
  expect(await button("Connect Broker")).toBeEnabled()
})

test("a token that the return page left is sent once and removed", async () => {
  const sent = answer("post", "/admin/broker/connect", connected)
  session.set("brokerToken", "kite-request-token")
  session.set("brokerLogin", JSON.stringify({ state: "s1", refreshToken: "", feedToken: "" }))

  await showApp("/home/advice", { role: "ADMIN" })

  expect(await screen.findByText("Broker connected successfully")).toBeVisible()
  expect(await button("Broker Connected")).toBeDisabled()
  expect(sent.map((call) => call.body)).toEqual([
    { requestToken: "kite-request-token", state: "s1", refreshToken: "", feedToken: "" },
  ])
  expect(session.get("brokerToken")).toBeNull()
  expect(session.get("brokerLogin")).toBeNull()
})

test("an answer from before the connection does not undo it", async () => {
  answer("post", "/admin/broker/connect", connected)
  const late = { isConnected: false, broker: null, connectedUntil: null }
  const { answerNow } = answerLater("get", "/admin/broker", late)
  session.set("brokerToken", "t")

  await showApp("/home/advice", { role: "ADMIN" })
  expect(await button("Broker Connected")).toBeDisabled()
  answerNow()
  await new Promise((resolve) => setTimeout(resolve, 150))

  expect(await button("Broker Connected")).toBeDisabled()
})

test("a token without its mark is sent all the same, for the server to refuse", async () => {
  const sent = answer("post", "/admin/broker/connect", connected)
  session.set("brokerToken", "t")
  session.set("brokerLogin", "not json")

  await showApp("/home/advice", { role: "ADMIN" })

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({ requestToken: "t" })
})

test.each([
  ["the broker", () => refuse("post", "/admin/broker/connect", 502, "Failed to connect broker")],
  ["the network", () => breakOff("post", "/admin/broker/connect")],
])("a refusal by %s is shown, and the token is removed", async (_, arrange) => {
  arrange()
  session.set("brokerToken", "t")

  await showApp("/home/advice", { role: "ADMIN" })

  expect(await screen.findByText("Failed to connect broker")).toBeVisible()
  expect(session.get("brokerToken")).toBeNull()
  expect(await button("Connect Broker")).toBeEnabled()
})

test("while a token is exchanged, the button is busy", async () => {
  hang("post", "/admin/broker/connect")
  session.set("brokerToken", "t")

  await showApp("/home/advice", { role: "ADMIN" })

  expect(await button("Connect Broker")).toBeDisabled()
})

test("a connected broker says so", async () => {
  answer("get", "/admin/broker", connected)

  await showApp("/home/advice", { role: "ADMIN" })

  expect(await button("Broker Connected")).toBeDisabled()
})
