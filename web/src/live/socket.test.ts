import { act, renderHook } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { useFeed } from "./feed"
import { priceStore } from "./prices"
import { openFeed } from "./socket"

type Listener = (...heard: unknown[]) => void
interface Made {
  address: unknown
  options: Record<string, unknown>
  heard: Record<string, Listener>
  managed: Record<string, Listener>
  closed: number
}
const made = vi.hoisted<Made>(() => ({
  address: undefined,
  options: {},
  heard: {},
  managed: {},
  closed: 0,
}))

vi.mock("socket.io-client", () => ({
  io: (first: unknown, second?: Record<string, unknown>) => {
    made.address = second === undefined ? undefined : first
    made.options = (second ?? first) as Record<string, unknown>
    return {
      on: (event: string, listener: Listener) => (made.heard[event] = listener),
      close: () => (made.closed += 1),
      connect: () => undefined,
      io: { on: (event: string, listener: Listener) => (made.managed[event] = listener) },
    }
  },
}))

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
  expect(made.address).toBeUndefined()
  expect(made.options).toMatchObject({
    path: "/socket.io",
    transports: ["websocket"],
    reconnectionAttempts: 20,
    reconnectionDelay: 1000,
  })
})

test("it says who it is with the token of the session, anew at each try", () => {
  const given: unknown[] = []
  const auth = made.options.auth as (give: (what: unknown) => void) => void

  auth((what) => given.push(what))
  session.start("another-token", "ADMIN")
  auth((what) => given.push(what))

  expect(given).toEqual([{ token: "token-of-the-test" }, { token: "another-token" }])
})

test("ticks are prices by instrument token", () => {
  vi.useFakeTimers()

  made.heard.ticks?.({ "408065": 1500.05, "2953217": 3200 })
  vi.advanceTimersToNextFrame()

  expect(priceStore.tick(408065)?.price).toBe(1500.05)
  expect(priceStore.tick(2953217)?.price).toBe(3200)
})

test("a heartbeat, a try to come back and the last one are told", () => {
  vi.useFakeTimers()
  const { result } = renderHook(() => useFeed())

  act(() =>
    made.heard["ticks:heartbeat"]?.({ at: "2026-11-20T10:00:00Z", source: "ZERODHA", live: true }),
  )
  expect(result.current.state).toBe("live")
  act(() => made.managed.reconnect_attempt?.(7))
  expect(result.current).toMatchObject({ state: "reconnecting", attempt: 7, attempts: 20 })
  act(() => made.managed.reconnect_failed?.())
  expect(result.current).toMatchObject({ state: "stale", isStale: true })
})
