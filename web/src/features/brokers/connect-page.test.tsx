import { fireEvent, screen } from "@testing-library/react"
import { beforeEach, expect, type MockInstance, test, vi } from "vitest"
import { session } from "@/api/session"
import * as leaving from "@/lib/leave"
import { recall, remember } from "@/lib/remember"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"
import * as handovers from "./handover"

let leave: MockInstance<typeof leaving.leaveTo>
const invalid = "This link is invalid or has expired. Ask for a new one."

const link = (brokers: string[]) => ({
  firmName: "Meridian Research",
  clientName: "Asha Rao",
  brokers,
  expiresAt: "2026-11-22T10:00:00Z",
})

const taken = (isConfirmed: boolean) => ({
  broker: "ZERODHA",
  brokerUserId: "AB1234",
  isConfirmed,
  expiresAt: "2026-11-21T00:30:00Z",
})

/** Comes back from the broker's page with these fields in the address. */
async function comeBack(query: string) {
  window.history.replaceState(null, "", `/redirect${query}`)
  handovers.takeHandover()
  return showApp("/redirect")
}

beforeEach(() => {
  leave = vi.spyOn(leaving, "leaveTo").mockImplementation(() => undefined)
  session.clear()
  answer("get", "/firm", firm)
})

test("who asks for what stands behind the link, with the registration", async () => {
  const calls = answer("post", "/broker-links/show", link(["ANGEL_ONE", "ZERODHA"]))
  await showApp("/connect/the-token")

  expect(await screen.findByText(/^Asha Rao, Meridian Research asks to read/)).toBeVisible()
  expect(screen.getByText(/We never see your password/)).toBeVisible()
  expect(screen.getByText(/We cannot place orders/)).toBeVisible()
  expect(screen.getByText(/until 22\/11\/2026 15:30 IST/)).toBeVisible()
  expect(screen.getByText(/SEBI Research Analyst/)).toBeVisible()
  expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual([
    "Continue to Angel One",
    "Continue to Zerodha",
  ])
  expect(calls[0]?.body).toEqual({ token: "the-token" })
})

test("the button leads to the broker's log-in, once", async () => {
  answer("post", "/broker-links/show", link(["ZERODHA"]))
  const url = "https://kite.zerodha.com/connect/login?v=3"
  const begun = answer("post", "/broker-links/begin", { broker: "ZERODHA", url })
  const { user } = await showApp("/connect/the-token")

  const button = await screen.findByRole("button", { name: "Continue to Zerodha" })
  await user.click(button)
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(url))
  fireEvent.click(button)

  expect(begun.map(({ body }) => body)).toEqual([
    { token: "the-token", broker: "ZERODHA", returnTo: "browser" },
  ])
  expect(recall("connect-link")).toBe("the-token")
})

test("a link that is used up says so", async () => {
  refuse("post", "/broker-links/show", 400, invalid)
  await showApp("/connect/the-token")

  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible()
  expect(screen.getByText(invalid)).toBeVisible()
  expect(screen.queryByRole("button")).toBeNull()
})

test("a log-in that cannot be begun says why, and may be tried again", async () => {
  answer("post", "/broker-links/show", link(["ZERODHA"]))
  refuse("post", "/broker-links/begin", 429, "Too many attempts. Try again in 9 seconds.")
  const { user } = await showApp("/connect/the-token")

  await user.click(await screen.findByRole("button", { name: "Continue to Zerodha" }))

  expect(await screen.findByText("Too many attempts. Try again in 9 seconds.")).toBeVisible()
  expect(screen.getByRole("button", { name: "Continue to Zerodha" })).toBeEnabled()
})

test("without a broker in use there is nowhere to go on to", async () => {
  answer("post", "/broker-links/show", link([]))
  await showApp("/connect/the-token")

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Meridian Research cannot connect your broker now. Please ask them.",
  )
})

test.each([true, false])(
  "what came back is sent on once and told (known ID: %s), on a phone too",
  async (isConfirmed) => {
    vi.spyOn(handovers, "isMobile").mockReturnValue(true)
    const sent = answer("post", "/brokers/session", taken(isConfirmed))
    remember("connect-link", "the-token")
    await comeBack("?status=success&request_token=kite&state=client.s")

    const title = isConfirmed ? "You are connected" : "Almost done"
    expect(await screen.findByRole("heading", { name: title })).toBeVisible()
    expect(screen.getByText("AB1234")).toBeVisible()
    expect(screen.getByText("21/11/2026 06:00 IST")).toBeVisible()
    expect(sent.map(({ body }) => body)).toEqual([
      {
        state: "client.s",
        linkToken: "the-token",
        requestToken: "kite",
        authToken: "",
        refreshToken: "",
        feedToken: "",
      },
    ])
    expect(recall("connect-link")).toBeNull()
    expect(window.location.search).toBe("")
    expect(leave).not.toHaveBeenCalled()
    expect(sessionStorage.getItem("brokerToken")).toBeNull()
  },
)

test("Angel One's three tokens go along", async () => {
  const sent = answer("post", "/brokers/session", taken(true))
  await comeBack("?auth_token=A&refresh_token=R&feed_token=F&state=client.s")

  await screen.findByRole("heading", { name: "You are connected" })
  expect(sent[0]?.body).toEqual({
    state: "client.s",
    linkToken: "",
    requestToken: "",
    authToken: "A",
    refreshToken: "R",
    feedToken: "F",
  })
})

test("while it is sent the page waits, in the words of the return page", async () => {
  hang("post", "/brokers/session")
  await comeBack("?request_token=kite&state=client.s")

  expect(screen.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
  expect(screen.getByText("Please wait while we redirect you.")).toBeVisible()
})

test("a log-in that the broker refused brings nothing to send", async () => {
  await comeBack("?status=cancelled&state=client.s")

  expect(screen.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
  expect(screen.getByText("No valid broker token received.")).toBeVisible()
})

test("another person's ID shows the server's message", async () => {
  const words = "You logged in at Zerodha as AB9999, which is not the ID we have for you."
  refuse("post", "/brokers/session", 409, words)
  await comeBack("?request_token=kite&state=client.s")

  expect(await screen.findByRole("heading", { name: "Not connected" })).toBeVisible()
  expect(screen.getByText(words)).toBeVisible()
  expect(screen.queryByRole("button")).toBeNull()
})

test("where the server is not reached, it can be tried again", async () => {
  breakOff("post", "/brokers/session")
  await comeBack("?request_token=kite&state=client.s")
  const again = await screen.findByRole("button", { name: "Try again" })

  answer("post", "/brokers/session", taken(true))
  fireEvent.click(again)

  expect(await screen.findByRole("heading", { name: "You are connected" })).toBeVisible()
})
