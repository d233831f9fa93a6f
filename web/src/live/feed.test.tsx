import { act, render, screen } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { FeedBadge } from "@/app/feed-badge"
import { beat, gaveUp, reconnecting, resetFeed } from "./feed"
import { LivePrice } from "./live-price"
import { priceStore } from "./prices"

const at = "2026-11-20T10:00:00Z"

beforeEach(() => {
  vi.useFakeTimers()
  resetFeed()
  priceStore.clear()
})
afterEach(() => {
  resetFeed()
  vi.useRealTimers()
})

const badge = () => screen.getByRole("status").textContent
/** The badge with the source of the prices and their time. */
const whole = () => screen.getByRole("status").parentElement?.textContent

test("simulated prices are marked plainly", () => {
  render(<FeedBadge />)

  act(() => beat({ at, source: "SIMULATED", live: true }))

  expect(badge()).toBe("Simulated prices")
})

test("a broker's prices are live, and closed after hours", () => {
  render(<FeedBadge />)

  act(() => beat({ at, source: "ZERODHA", live: true }))
  expect(badge()).toBe("Live")

  act(() => beat({ at, source: "ZERODHA", live: false }))
  expect(badge()).toBe("Closed · 15:30 IST")
})

test("the source is shown next to the state, with the time of the newest price when none arrive", () => {
  render(<FeedBadge />)
  const pricesAt = "2026-11-20T09:59:58Z"

  act(() => beat({ at, source: "ZERODHA", live: true, state: "LIVE", pricesAt }))
  expect(whole()).toBe("LiveZerodha")

  act(() => beat({ at, source: "ANGEL_ONE", live: false, state: "CLOSED", pricesAt }))
  expect(badge()).toBe("Closed · 15:30 IST")
  expect(whole()).toContain("Angel One · 20/11/2026 15:29 IST")
})

test("a broker that says nothing and no broker at all make prices old, and say which", () => {
  render(
    <>
      <FeedBadge />
      <LivePrice token={408065} otherwise={1500} />
    </>,
  )
  const pricesAt = "2026-11-19T10:00:00Z"
  const cell = () => screen.getByText("1,500.00")

  act(() => beat({ at, source: "ZERODHA", live: false, state: "DOWN", pricesAt }))
  expect(whole()).toBe("Stale pricesZerodha · 19/11/2026 15:30 IST")
  expect(cell()).toHaveClass("price-stale")

  act(() => beat({ at, source: "ZERODHA", live: true, state: "LIVE", pricesAt }))
  expect(cell()).not.toHaveClass("price-stale")

  act(() => beat({ at, source: null, live: false, state: "NONE", pricesAt }))
  expect(whole()).toBe("No live prices19/11/2026 15:30 IST")
  expect(cell()).toHaveClass("price-stale")
})

test("a price that the source does not carry is pale though the others are live", () => {
  render(
    <>
      <LivePrice token={408065} otherwise={1500} />
      <LivePrice token={738561} otherwise={1400} />
    </>,
  )

  act(() => beat({ at, source: "ANGEL_ONE", live: true, state: "LIVE", unfollowed: [408065] }))

  expect(screen.getByText("1,500.00")).toHaveClass("price-stale")
  expect(screen.getByText("1,400.00")).not.toHaveClass("price-stale")
})

test("without a heartbeat for 15 seconds prices are old and pale", () => {
  render(
    <>
      <FeedBadge />
      <LivePrice token={408065} otherwise={1500} />
    </>,
  )
  act(() => beat({ at, source: "ZERODHA", live: true }))

  act(() => void vi.advanceTimersByTime(14_999))
  expect(badge()).toBe("Live")
  expect(screen.getByText("1,500.00")).not.toHaveClass("price-stale")

  act(() => void vi.advanceTimersByTime(1))
  expect(badge()).toBe("Stale prices")
  expect(screen.getByText("1,500.00")).toHaveClass("price-stale")
})

test("reconnecting says which try it is, and giving up that prices are old", () => {
  render(<FeedBadge />)

  act(() => reconnecting(3))
  expect(badge()).toBe("Reconnecting (3 of 20)")

  act(() => gaveUp())
  expect(badge()).toBe("Stale prices")
})

test("a price follows the feed and washes in the colour of its change", () => {
  render(<LivePrice token={408065} otherwise={1499} />)
  const tick = (price: number) =>
    act(() => {
      priceStore.collect({ "408065": price })
      vi.advanceTimersToNextFrame()
    })

  expect(screen.getByText("1,499.00")).toBeVisible()
  tick(1500)
  expect(screen.getByText("1,500.00")).not.toHaveClass("wash-up")
  tick(1502)
  expect(screen.getByText("1,502.00")).toHaveClass("wash-up")
  const again = screen.getByText("1,502.00").hasAttribute("data-again")
  tick(1503)
  expect(screen.getByText("1,503.00").hasAttribute("data-again")).toBe(!again)
  tick(1490)
  expect(screen.getByText("1,490.00")).toHaveClass("wash-down")
})
