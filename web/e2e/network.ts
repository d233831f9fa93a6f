import type { Page, Route } from "@playwright/test"

/**
 * What becomes of the calls: they go to the server, wait without end, are refused as a server at fault refuses
 * them, or meet no server at all.
 */
export type Fate = "pass" | "wait" | "refuse" | "cut"

export const REFUSAL = "Something went wrong"

/** A page waits half a minute for an answer: longer than that, in milliseconds. */
export const PATIENCE = 31_000

/** Who is signed in, and the firm's registration, are asked for by every screen; they are left alone. */
const ofTheScreen = /\/api\/v1\/(?!auth\/(?:verify-token|login|logout)|firm$)/

/** The calls of a page that match `which`, in the test's hand. */
export async function takeNetwork(page: Page, which: RegExp = ofTheScreen) {
  const network = { fate: "pass" as Fate }
  const meet: Record<Fate, (route: Route) => Promise<void>> = {
    pass: (route) => route.fallback(),
    // Never answered: the page gives up by itself, or is left.
    wait: () => Promise.resolve(),
    refuse: (route) =>
      route.fulfill({ status: 500, json: { success: false, message: REFUSAL, code: "internal" } }),
    cut: (route) => route.abort("connectionrefused"),
  }
  await page.route(which, (route) => meet[network.fate](route))
  return network
}

/**
 * Collects what a page must never say: errors of scripts, promises that nobody caught, and what the content
 * security policy refused. The browser's own lines about calls that failed are meant to be there.
 */
export function watch(page: Page) {
  const said: string[] = []
  page.on("console", (message) => {
    const isOfNetwork = /^Failed to load resource|^WebSocket connection/.test(message.text())
    if (message.type() === "error" && !isOfNetwork) said.push(message.text())
  })
  page.on("pageerror", (error) => said.push(error.stack ?? error.message))
  return said
}
