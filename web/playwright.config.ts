import { existsSync } from "node:fs"
import { defineConfig } from "@playwright/test"
import type { Served } from "./e2e/test"

// The shell draws the same pages with less work than the whole browser.
const debian = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) =>
  existsSync(path),
)
// What a run leaves behind is kept apart from that of a run beside it.
const run = process.env.E2E_PORT ?? "8765"

export default defineConfig<object, Served>({
  testDir: "e2e",
  outputDir: `test-results/${run}`,
  globalSetup: "./e2e/servers.ts",
  // What must happen is what is tested; how fast, on a machine that does other work, is not.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // The tests of one file may build on each other, so they stay together unless the file says otherwise.
  fullyParallel: false,
  workers: 2,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["list"], ["json"]] : [["list"]],
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    // Nothing is looked at while it still moves.
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    // Pictures of the page at every step would take longer than the steps; `--trace on` has them.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: debian,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // Three that begin with nothing, each on an installation of its own.
    { name: "journey", testMatch: "journey.spec.ts", use: { installation: "nothing" } },
    { name: "first-send", testMatch: "first-send.spec.ts", use: { installation: "unpriced" } },
    { name: "empty", testMatch: "empty.spec.ts", use: { installation: "nothing" } },
    // Passkeys, which browsers have for a name and not for an address.
    { name: "passkeys", testMatch: "passkeys.spec.ts", use: { installation: "named" } },
    // At the firm's own OpenID Connect provider.
    { name: "sso", testMatch: "sso.spec.ts", use: { installation: "sso" } },
    // From an advice to the client's orders, while the market is open.
    { name: "circle", testMatch: "circle.spec.ts", use: { installation: "circle" } },
    // Each of these on brokers where nobody has logged in yet.
    ...["broker-sessions", "broker-sync", "readiness"].map((file) => ({
      name: "brokers",
      testMatch: `${file}.spec.ts`,
      use: { installation: "brokers" as const },
    })),
    // The demo firm, too, but of one file alone: no other test meets what it plants.
    { name: "demo", testMatch: "hostile.spec.ts", use: { installation: "hostile" } },
    { name: "demo", testMatch: "corporate-actions.spec.ts", use: { installation: "hostile" } },
    { name: "demo", testMatch: "invoices.spec.ts", use: { installation: "hostile" } },
    {
      name: "demo",
      testIgnore: [
        "journey",
        "first-send",
        "empty",
        "circle",
        "broker-*",
        "readiness",
        "hostile",
        "corporate-actions",
        "invoices",
        "passkeys",
        "sso",
      ].map((file) => `${file}.spec.ts`),
    },
  ],
})
