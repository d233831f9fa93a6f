import { existsSync } from "node:fs"
import { defineConfig } from "@playwright/test"

const debian = "/usr/bin/chromium"
// Servers of our own, on ports that `make demo` does not use: the demo firm, an empty installation, a demo firm whose
// brokers are the simulator beside it, and another empty installation for what screens say while there is nothing.
// With another E2E_PORT a second run may go on beside the first.
const port = Number(process.env.E2E_PORT ?? 8765)
const demo = `http://127.0.0.1:${port}`
const fresh = `http://127.0.0.1:${port + 1}`
const desk = `http://127.0.0.1:${port + 2}`
const simulator = `http://127.0.0.1:${port + 3}`
// The brokers' pages are of another site than ours, as in life.
const brokersSite = `http://localhost:${port + 3}`
const empty = `http://127.0.0.1:${port + 4}`
const data = `.e2e/${port}`
const tarazu = "env TARAZU_LOG_LEVEL=error ../.venv/bin/tarazu"

const atSimulator = [
  "TARAZU_ALLOW_LOOPBACK_BROKERS=1",
  `TARAZU_PUBLIC_URL=${desk}`,
  `TARAZU_ZERODHA_LOGIN_URL=${brokersSite}/connect/login`,
  `TARAZU_ZERODHA_TICKER_URL=ws://127.0.0.1:${port + 3}/`,
  `TARAZU_ANGEL_LOGIN_URL=${brokersSite}/publisher-login`,
  `TARAZU_ANGEL_TICKER_URL=ws://127.0.0.1:${port + 3}/smart-stream`,
  `TARAZU_ANGEL_SCRIP_MASTER_URL=${simulator}/OpenAPI_File/files/OpenAPIScripMaster.json`,
].join(" ")

/** An installation that begins with nothing. */
const beginning = (address: string, folder: string) => ({
  command: `sh -c 'rm -rf ${data}/${folder} && TARAZU_PRICE_SOURCE=simulated exec ${tarazu} serve --port ${new URL(address).port} --data-dir ${data}/${folder}'`,
  url: `${address}/health/ready`,
  timeout: 60_000,
  reuseExistingServer: false,
})

export default defineConfig({
  testDir: "e2e",
  outputDir: `test-results/${port}`,
  timeout: 60_000,
  // What must happen is what is tested; how fast, on a machine that does other work, is not.
  expect: { timeout: 15_000 },
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
    {
      name: "brokers",
      testMatch: ["broker-*.spec.ts", "readiness.spec.ts"],
      use: { baseURL: desk },
    },
    { name: "empty", testMatch: "empty.spec.ts", use: { baseURL: empty } },
    {
      name: "demo",
      testIgnore: ["journey.spec.ts", "broker-*.spec.ts", "readiness.spec.ts", "empty.spec.ts"],
    },
  ],
  webServer: [
    beginning(fresh, "fresh"),
    beginning(empty, "empty"),
    {
      command: `sh -c 'exec ${tarazu} demo --port ${port} --data-dir ${data}/demo'`,
      url: `${demo}/health/ready`,
      timeout: 120_000,
      reuseExistingServer: false,
    },
    {
      command: `sh -c 'rm -rf ${data}/desk && ${atSimulator} exec ${tarazu} demo --port ${port + 2} --data-dir ${data}/desk'`,
      url: `${desk}/health/ready`,
      timeout: 120_000,
      reuseExistingServer: false,
    },
    {
      command: `sh -c 'cd ../server && exec ../.venv/bin/python -m tests.brokers.simulator --port ${port + 3} --scale 0 --clients 1000 --return-url ${desk}/redirect'`,
      url: `${simulator}/_simulator/people`,
      timeout: 60_000,
      reuseExistingServer: false,
    },
  ],
})
