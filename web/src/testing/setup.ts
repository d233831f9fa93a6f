import "@testing-library/jest-dom/vitest"
import { cleanup, configure } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest"
import { loadLazyComponents } from "@/ui/lazy-component"
import { resetState } from "./reset-state"
import { setScreenWidth } from "./screen-width"
import { server } from "./server"

// A chunk that is loaded when it is needed takes its time on a busy machine; how long is not what is tested.
configure({ asyncUtilTimeout: 20_000 })

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
  configurable: true,
  value: { ready: Promise.resolve(), addEventListener: () => undefined },
})

beforeAll(() => server.listen({ onUnhandledRequest: "error" }))
beforeEach(async () => {
  setScreenWidth(1440)
  await loadLazyComponents()
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  server.resetHandlers()
  resetState()
})
afterAll(async () => {
  // Files share their modules: a screen whose loading were cut off here would be broken for all later files.
  await vi.dynamicImportSettled()
  server.close()
})
