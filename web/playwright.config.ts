import { existsSync } from "node:fs"
import { defineConfig } from "@playwright/test"

const debian = "/usr/bin/chromium"
// Two servers of our own, on ports that `make demo` does not use: the demo firm, and an empty installation.
const demo = process.env.TARAZU_E2E_URL ?? "http://127.0.0.1:8765"
const fresh = "http://127.0.0.1:8766"
const tarazu = "env TARAZU_LOG_LEVEL=error ../.venv/bin/tarazu"

export default defineConfig({
  testDir: "e2e",
  timeout: 60_000,
  fullyParallel: false,
  workers: 1,
  reporter: [["list"]],
  use: {
    baseURL: demo,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    actionTimeout: 10_000,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: existsSync(debian) ? debian : undefined,
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
    { name: "journey", testMatch: "journey.spec.ts", use: { baseURL: fresh } },
    { name: "demo", testIgnore: "journey.spec.ts" },
  ],
  webServer: [
    {
      command: `sh -c 'rm -rf .e2e/fresh && TARAZU_PRICE_SOURCE=simulated exec ${tarazu} serve --port 8766 --data-dir .e2e/fresh'`,
      url: `${fresh}/health/ready`,
      timeout: 60_000,
      reuseExistingServer: false,
    },
    ...(process.env.TARAZU_E2E_URL
      ? []
      : [
          {
            command: `sh -c 'exec ${tarazu} demo --port 8765 --data-dir .e2e/demo'`,
            url: `${demo}/health/ready`,
            timeout: 120_000,
            reuseExistingServer: false,
          },
        ]),
  ],
})
