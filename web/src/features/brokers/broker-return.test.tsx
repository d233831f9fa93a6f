import { act, fireEvent, screen } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest"
import { session } from "@/api/session"
import * as leaving from "@/lib/leave"
import { adviceAnswered } from "@/testing/advice-rows"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, signedIn } from "@/testing/signed-in"
import * as handovers from "./handover"

let leave: MockInstance<typeof leaving.leaveTo>
const verify = "/auth/verify-token"
const kite = "?status=success&request_token=kite-token&action=login&state=s1"
const link = () => screen.queryByRole("link", { name: "Click here if not redirected" })
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** Opens the return page as a broker does, with these fields in its address. */
async function comeBack(query: string, role?: "ADMIN" | "USER") {
  window.history.replaceState(null, "", `/redirect${query}`)
  handovers.takeHandover()
  return showApp("/redirect", role ? { role } : {})
}

const onPhone = () => vi.spyOn(handovers, "isMobile").mockReturnValue(true)

beforeEach(() => {
  // Timers are fake from the start, and advance with real time so that the fake network can answer.
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 5 })
  leave = vi.spyOn(leaving, "leaveTo").mockImplementation(() => undefined)
  answer("get", "/firm", firm)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe("on a desk", () => {
  test("nobody without a token stays", async () => {
    const { router } = await comeBack(kite)

    expect(await screen.findByRole("heading", { name: "Log in" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
    expect(session.get("brokerToken")).toBeNull()
  })

  test("it says that it goes on, and shows a link after two seconds", async () => {
    signedIn()
    await comeBack(kite, "ADMIN")

    expect(screen.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
    expect(screen.getByText("Please wait while we redirect you.")).toBeVisible()
    expect(link()).toBeNull()
    await after(2100)
    expect(link()).toBeVisible()
  })

  test("an ADMIN waits ten seconds, then the token lies ready for the advice form", async () => {
    adviceAnswered()
    hang("post", "/admin/broker/connect")
    const stored = vi.spyOn(Storage.prototype, "setItem")
    const { router } = await comeBack(kite, "ADMIN")

    await after(9000)
    expect(router.state.location.pathname).toBe("/redirect")
    await after(1500)

    expect(router.state.location.pathname).toBe("/home/advice")
    expect(stored).toHaveBeenCalledWith("brokerToken", "kite-token")
    expect(stored).toHaveBeenCalledWith(
      "brokerLogin",
      JSON.stringify({ state: "s1", refreshToken: "", feedToken: "" }),
    )
  })

  test("the link goes on at once", async () => {
    adviceAnswered()
    const sent = answer("post", "/admin/broker/connect", {
      isConnected: true,
      broker: "ZERODHA",
      connectedUntil: null,
    })
    const { router } = await comeBack(kite, "ADMIN")
    await after(2100)

    fireEvent.click(link()!)
    await after(500)

    expect(router.state.location.pathname).toBe("/home/advice")
    await vi.waitFor(
      () => expect(sent[0]?.body).toMatchObject({ requestToken: "kite-token", state: "s1" }),
      { timeout: 20_000 },
    )
  })

  test("whoever is not ADMIN goes to the log-in and keeps nothing of it", async () => {
    signedIn("USER")
    const { router } = await comeBack(kite, "USER")

    expect(await screen.findByRole("heading", { name: "Log in" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
    expect(session.get("brokerToken")).toBeNull()
  })

  test.each([
    ["refuses", () => refuse("get", verify, 401, "Session expired. Please log in again.")],
    ["fails", () => refuse("get", verify, 500, "Something went wrong")],
    ["is not reached", () => breakOff("get", verify)],
  ])("a verification that %s clears the session and leads to the log-in", async (_, arrange) => {
    arrange()
    session.set("clientId", "c")
    const { router } = await comeBack(kite, "ADMIN")

    expect(await screen.findByRole("heading", { name: "Log in" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/login")
    expect(session.get("token")).toBeNull()
    expect(session.get("clientId")).toBeNull()
  })

  test.each(["", "?status=error", "?status=cancelled&request_token=x"])(
    "a return with %j says that it failed, and goes back to the advice form with nothing",
    async (query) => {
      adviceAnswered()
      const { router } = await comeBack(query, "ADMIN")

      expect(await screen.findByRole("heading", { name: "Authentication Failed" })).toBeVisible()
      expect(screen.getByText("No valid broker token received.")).toBeVisible()
      await after(10_500)

      expect(router.state.location.pathname).toBe("/home/advice")
      expect(session.get("brokerToken")).toBeNull()
    },
  )
})

describe("on a phone", () => {
  test("it opens the app with the tokens, without a session of ours", async () => {
    onPhone()
    await comeBack("?auth_token=A&refresh_token=R&feed_token=F&state=s")

    await vi.waitFor(() =>
      expect(leave).toHaveBeenCalledWith(
        "tarazu://broker?status=success&auth_token=A&refresh_token=R",
      ),
    )
    expect(screen.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
  })

  test("after two seconds there is a link to the app, after three it is not found", async () => {
    onPhone()
    await comeBack(kite)
    await vi.waitFor(() => expect(leave).toHaveBeenCalled())

    expect(link()).toBeNull()
    await after(2100)
    expect(link()).toHaveAttribute(
      "href",
      "tarazu://broker?status=success&request_token=kite-token",
    )
    expect(screen.queryByText("App Not Found")).toBeNull()
    await after(1000)

    expect(screen.getByRole("heading", { name: "App Not Found" })).toBeVisible()
    expect(screen.getByText("Please ensure your app is installed and try again.")).toBeVisible()
    expect(link()).toBeVisible()
  })

  test("a window that loses the focus has found the app", async () => {
    onPhone()
    await comeBack(kite)
    await vi.waitFor(() => expect(leave).toHaveBeenCalled())

    fireEvent.blur(window)
    await after(4000)

    expect(screen.queryByText("App Not Found")).toBeNull()
    expect(screen.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
  })

  test("without a token nothing is opened", async () => {
    onPhone()
    await comeBack("?status=error")

    expect(screen.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
    await after(3500)
    expect(leave).not.toHaveBeenCalled()
  })

  test("without the firm's settings it tries the usual link", async () => {
    onPhone()
    refuse("get", "/firm", 500, "Something went wrong")
    await comeBack(kite)

    await vi.waitFor(() =>
      expect(leave).toHaveBeenCalledWith("tarazu://broker?status=success&request_token=kite-token"),
    )
  })
})
