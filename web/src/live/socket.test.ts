import { act, renderHook } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { onSetUpDue, session } from "@/api/session"
import { opened } from "@/testing/fake-socket"
import { useFeed } from "./feed"
import { priceStore } from "./prices"
import { openFeed } from "./socket"

let close: () => void
beforeEach(() => {
  session.start("token-of-the-test", "ADMIN")
  close = openFeed()
})
afterEach(() => {
  close()
  vi.useRealTimers()
})

test("it goes to the same host by websocket alone, and tries twenty times, a second apart", () => {
  // No address stands before the options: the host is the page's own.
  expect(opened.with).toEqual([
    expect.objectContaining({
      path: "/socket.io",
      transports: ["websocket"],
      reconnectionAttempts: 20,
      reconnectionDelay: 1000,
    }),
  ])
})

test("it authenticates with the session's token, read again at each attempt", () => {
  const given: unknown[] = []
  const [{ auth }] = opened.with as [{ auth: (give: (what: unknown) => void) => void }]

  auth((what) => given.push(what))
  session.start("another-token", "ADMIN")
  auth((what) => given.push(what))

  expect(given).toEqual([{ token: "token-of-the-test" }, { token: "another-token" }])
})

test("ticks are prices by instrument token", () => {
  vi.useFakeTimers()

  opened.heard.ticks?.({ "408065": 1500.05, "2953217": 3200 })
  vi.advanceTimersToNextFrame()

  expect(priceStore.tick(408065)?.price).toBe(1500.05)
  expect(priceStore.tick(2953217)?.price).toBe(3200)
})

test("a heartbeat, a reconnection attempt and the last attempt are reported", () => {
  vi.useFakeTimers()
  const { result } = renderHook(() => useFeed())

  act(() =>
    opened.heard["ticks:heartbeat"]?.({
      at: "2026-11-20T10:00:00Z",
      source: "ZERODHA",
      live: true,
    }),
  )
  expect(result.current.state).toBe("live")
  act(() => opened.managed.reconnect_attempt?.(7))
  expect(result.current).toMatchObject({ state: "reconnecting", attempt: 7, attempts: 20 })
  act(() => opened.managed.reconnect_failed?.())
  expect(result.current).toMatchObject({ state: "stale", isStale: true })
})

test.each([
  ["PASSWORD_CHANGE_REQUIRED", "password"],
  ["SECOND_FACTOR_REQUIRED", "second-factor"],
])("a refusal for %s keeps the session and says what is due", (code, due) => {
  const listener = vi.fn()
  const release = onSetUpDue(listener)

  opened.heard.connect_error?.(Object.assign(new Error("Unauthorized"), { data: { code } }))

  expect(listener.mock.calls).toEqual([[due]])
  expect(session.get("token")).toBe("token-of-the-test")
  expect(opened.closed).toBe(1)
  release()
})
