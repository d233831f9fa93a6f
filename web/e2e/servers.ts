import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs"
import { once } from "node:events"
import { get } from "node:http"
import { resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

/**
 * The servers of one worker, on ports and with a data directory of its own: what its tests change, no other worker
 * sees. They begin with the worker, and only those that its tests need. With another E2E_PORT a second run may go on
 * beside the first; `make demo` uses other ports.
 */

/**
 * What a worker's tests meet: an installation that begins with nothing, one that has no source of prices either, the demo firm, the demo firm under the name that its public address has, the demo firm connected to the
 * brokers' simulator, a demo firm of one file alone, where no number of calls is refused, a demo firm with single sign-on, or one
 * that begins with nothing beside the simulator and a mail server, at 11:00 on a trading day.
 */
export type Installation =
  "nothing" | "unpriced" | "demo" | "named" | "brokers" | "hostile" | "sso" | "circle"

// Four ports for each worker. They are below 32768: above it, one may be that of somebody's connection when the
// server wants it.
const first = Number(process.env.E2E_PORT ?? 8765)
const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0)
const port = first + 4 * worker
const simulatorPort = port + 1
const mailPort = port + 2
const providerPort = port + 3
const run = `.e2e/${first}`
const data = `${run}/worker-${worker}`

export const address = `http://127.0.0.1:${port}`
/** The public address of the installation "named": browsers have passkeys for a name alone. */
export const namedAddress = `http://localhost:${port}`
export const simulator = `http://127.0.0.1:${simulatorPort}`
/** The brokers' pages are of another site than ours, as in life. */
export const brokersSite = `http://localhost:${simulatorPort}`
/** The OpenID Connect provider, which is of another site as well. */
export const provider = `http://localhost:${providerPort}`
/** Where the server writes its mails, and where the mail server writes those that it took. */
export const outbox = `${data}/outbox`
export const inbox = `${run}/inbox-${worker}`

const atBrokers = {
  TARAZU_ALLOW_LOOPBACK_BROKERS: "1",
  TARAZU_ZERODHA_LOGIN_URL: `${brokersSite}/connect/login`,
  TARAZU_ZERODHA_BASKET_URL: `${brokersSite}/connect/basket`,
  TARAZU_ZERODHA_TICKER_URL: `ws://127.0.0.1:${simulatorPort}/`,
  TARAZU_ANGEL_LOGIN_URL: `${brokersSite}/publisher-login`,
  TARAZU_ANGEL_TICKER_URL: `ws://127.0.0.1:${simulatorPort}/smart-stream`,
  TARAZU_ANGEL_SCRIP_MASTER_URL: `${simulator}/OpenAPI_File/files/OpenAPIScripMaster.json`,
}

const settings: Record<Installation, Record<string, string>> = {
  nothing: { TARAZU_PRICE_SOURCE: "simulated" },
  unpriced: {},
  demo: {},
  named: { TARAZU_PUBLIC_URL: namedAddress },
  brokers: atBrokers,
  hostile: { TARAZU_RATE_LIMIT_SCALE: "1000000" },
  sso: {
    TARAZU_PUBLIC_URL: address,
    TARAZU_OIDC_ISSUER: provider,
    TARAZU_OIDC_CLIENT_ID: "tarazu",
    TARAZU_OIDC_CLIENT_SECRET: "of-the-tests",
    TARAZU_OIDC_LABEL: "Sahyadri ID",
    TARAZU_ALLOW_LOOPBACK_OIDC: "1",
  },
  circle: { ...atBrokers, TARAZU_SMTP_URL: `smtp://127.0.0.1:${mailPort}` },
}

const python = "../.venv/bin/python"
const makeFirm = `
import sys
from pathlib import Path
from tarazu.cli.serving import make_demo_firm
from tarazu.kit.settings import Settings
make_demo_firm(Settings.read(data_dir=Path(sys.argv[1]), demo=True, price_source="simulated"))
`

/** Of the demo firm that each worker copies. */
const firm = `${run}/firm`

/** Before the first test, so that no test waits for it: nothing is left of an earlier run, and the demo firm is there. */
export default async function setUp() {
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run, { recursive: true })
  const making = start(python, ["-c", makeFirm, firm], {})
  const [code] = (await once(making.process, "exit")) as [number | null]
  if (code !== 0) throw new Error(`The demo firm was not made: ${readFileSync(making.log, "utf8")}`)
}

/** Starts what an installation needs; answers how it is stopped. */
export async function serve(installation: Installation) {
  rmSync(data, { recursive: true, force: true })
  rmSync(inbox, { recursive: true, force: true })
  const isDemo = !["nothing", "unpriced", "circle"].includes(installation)
  if (isDemo) cpSync(firm, data, { recursive: true })
  const words = [isDemo ? "demo" : "serve", "--port", String(port), "--data-dir", resolve(data)]
  const isTimed = installation === "circle"
  const from = String(Date.now() / 1000)
  const servers = [
    isTimed
      ? start(python, ["-m", "tests.clocked", from, "tarazu", ...words], {
          env: settings[installation],
          cwd: "../server",
        })
      : start("../.venv/bin/tarazu", words, { env: settings[installation] }),
  ]
  const isUp = [answers(`${address}/health/ready`)]
  if (installation === "brokers" || isTimed) {
    servers.push(startSimulator(isTimed ? ["-m", "tests.clocked", from] : ["-m"]))
    isUp.push(answers(`${simulator}/_simulator/people`))
  }
  if (installation === "sso") {
    servers.push(startProvider())
    isUp.push(answers(`${provider}/.well-known/openid-configuration`))
  }
  if (isTimed) {
    servers.push(startMailServer())
    isUp.push(() => Promise.resolve(existsSync(inbox)))
  }
  try {
    for (const asked of isUp) await until(asked, servers)
  } catch (error) {
    stop(servers)
    throw error
  }
  return () => stop(servers)
}

/** What they hold is thrown away, so nothing need be brought to its end. */
function stop(servers: Started[]) {
  for (const { process: one } of servers) one.kill("SIGKILL")
}

const startSimulator = (by: string[]) =>
  start(
    python,
    [
      ...[...by, "tests.brokers.simulator", "--port", String(simulatorPort)],
      ...["--scale", "0", "--clients", "1000", "--return-url", `${address}/redirect`],
    ],
    { cwd: "../server" },
  )

/** Whom it knows: an account's address that it has verified, one that it has not, and one that is of no account. */
const known = [
  { sub: "ananya", email: "admin@tarazu.example", email_verified: true },
  { sub: "ravi", email: "user@tarazu.example", email_verified: false },
  { sub: "meera", email: "meera@elsewhere.example", email_verified: true },
]

const startProvider = () =>
  start(
    "../.venv/bin/oidc-provider-mock",
    [
      ...["--host", "localhost", "--port", String(providerPort), "--require-nonce", "true"],
      ...known.flatMap((person) => ["--user-claims", JSON.stringify(person)]),
    ],
    {},
  )

const startMailServer = () =>
  start(python, ["-m", "tests.mail_sink", String(mailPort), resolve(inbox)], { cwd: "../server" })

interface Started {
  process: ChildProcess
  log: string
}

function start(
  program: string,
  words: string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string },
): Started {
  const log = `${run}/worker-${worker}.log`
  const output = openSync(log, "a")
  const child = spawn(program, words, {
    ...(cwd ? { cwd } : {}),
    env: { ...process.env, TARAZU_LOG_LEVEL: "error", ...env },
    stdio: ["ignore", output, output],
  })
  process.once("exit", () => child.kill("SIGKILL"))
  return { process: child, log }
}

const answers = (url: string) => () =>
  new Promise<boolean>((tell) => {
    get(url, (answer) => {
      answer.resume()
      tell(answer.statusCode === 200)
    }).once("error", () => tell(false))
  })

async function until(isSo: () => Promise<boolean>, servers: Started[] = []) {
  const given = Date.now() + 100_000
  while (!(await isSo())) {
    const ended = servers.find((one) => one.process.exitCode !== null)
    if (ended || Date.now() > given)
      throw new Error(`A server did not start: ${ended ? readFileSync(ended.log, "utf8") : ""}`)
    await pause(100)
  }
}
