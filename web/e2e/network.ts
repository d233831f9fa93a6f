import type { Page, Route } from "@playwright/test"

/** What happens to the calls: they go to the server, are never answered, get a 500, or find no server. */
export type Fate = "pass" | "wait" | "refuse" | "cut"

export const REFUSAL = "Something went wrong"

/** Longer than the timeout of a page's read, in milliseconds. */
export const PAST_TIMEOUT = 31_000

/** All calls but those of every screen: who is signed in, and the firm's registration. */
const callsOfScreen = /\/api\/v1\/(?!auth\/(?:verify-token|login|logout)|firm$)/

/** Lets the test decide what happens to the calls of a page that match `which`. */
export async function takeNetwork(page: Page, which: RegExp = callsOfScreen) {
  const network = { fate: "pass" as Fate }
  const handlers: Record<Fate, (route: Route) => Promise<void>> = {
    pass: (route) => route.fallback(),
    // Never answered: the page times out, or is left.
    wait: () => Promise.resolve(),
    refuse: (route) =>
      route.fulfill({ status: 500, json: { success: false, message: REFUSAL, code: "internal" } }),
    cut: (route) => route.abort("connectionrefused"),
  }
  await page.route(which, (route) => handlers[network.fate](route))
  return network
}

/**
 * Collects the errors of a page: of scripts, uncaught promises, and the content security policy. The browser's own
 * messages about failed calls are left out, since tests make calls fail.
 */
export function errorsOf(page: Page) {
  const errors: string[] = []
  page.on("console", (message) => {
    const isOfNetwork = /^Failed to load resource|^WebSocket connection/.test(message.text())
    if (message.type() === "error" && !isOfNetwork) errors.push(message.text())
  })
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message))
  return errors
}
