import { existsSync } from "node:fs"
import { defineConfig } from "@playwright/test"

const debian = "/usr/bin/chromium"
const address = process.env.TARAZU_E2E_URL ?? "http://127.0.0.1:8000"

export default defineConfig({
  testDir: "e2e",
  timeout: 60_000,
  fullyParallel: false,
  workers: 1,
  reporter: [["list"]],
  use: {
    baseURL: address,
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
  // Runs against a demo that is up already, or starts one of its own in a folder that it may fill.
  webServer: process.env.TARAZU_E2E_URL
    ? undefined
    : {
        command: "../.venv/bin/tarazu demo --port 8000 --data-dir test-results/demo",
        url: `${address}/health/ready`,
        timeout: 120_000,
        reuseExistingServer: false,
      },
})
