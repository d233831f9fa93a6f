import "@testing-library/jest-dom/vitest"
import { cleanup, configure } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest"
import { amountsHidden } from "@/lib/format"
import { toasts } from "@/ui/toast"
import { setScreenWidth } from "./screen-width"
import { server } from "./server"

// A chunk that is loaded when it is needed takes its time on a busy machine.
configure({ asyncUtilTimeout: 5000 })

// The socket is the outside: here it opens nothing. Tests put prices into the store themselves.
vi.mock("socket.io-client", () => ({
  io: () => ({ on: () => undefined, close: () => undefined, io: { on: () => undefined } }),
}))

// The chart library paints on a canvas, which jsdom lacks: here every call of it answers and paints nothing.
vi.mock("lightweight-charts", () => {
  const anything: unknown = new Proxy(() => undefined, {
    apply: () => anything,
    get: (_, name) => (name === "then" ? undefined : anything),
  })
  const parts = ["AreaSeries", "ColorType", "LineSeries", "LineStyle", "createChart"]
  return Object.fromEntries(parts.map((part) => [part, anything]))
})

// What jsdom lacks and every browser has.
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal("ResizeObserver", NoObserver)
vi.stubGlobal("IntersectionObserver", NoObserver)
Element.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
Object.defineProperty(document, "fonts", {
  value: { ready: Promise.resolve(), addEventListener: () => undefined },
})

beforeAll(() => server.listen({ onUnhandledRequest: "error" }))
beforeEach(() => setScreenWidth(1440))
afterEach(() => {
  cleanup()
  server.resetHandlers()
  sessionStorage.clear()
  localStorage.clear()
  toasts.set([])
  amountsHidden.set(false)
})
afterAll(() => server.close())
