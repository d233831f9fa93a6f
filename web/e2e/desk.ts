import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { APIRequestContext, Page } from "@playwright/test"
import { staff } from "./sign-in"

interface Answer<Data> {
  data: Data
  message?: string
}

/**
 * Calls of a test stand far apart, and the server ends a connection that rests for a few seconds. One that it ends
 * while the next call goes out would fail that call, so none is kept.
 */
export const once = { Connection: "close" }

type Options = NonNullable<Parameters<APIRequestContext["fetch"]>[1]>

/** The answer to one call, which is sent again where the server is busy or limits the rate, as any client should. */
export async function ask(from: Page, path: string, options: Options) {
  const whole = { ...options, headers: { ...options.headers, ...once } }
  for (;;) {
    const answer = await from.request.fetch(`/api/v1${path}`, whole)
    const seconds = answer.headers()["retry-after"]
    if (![429, 503].includes(answer.status()) || seconds === undefined) return answer
    await pause(Number(seconds) * 1000)
  }
}

/** The token of a new session. */
export async function tokenOf(from: Page, data: { email: string; password: string }) {
  const answer = await ask(from, "/auth/login", { method: "POST", data })
  if (!answer.ok()) throw new Error(`Log-in of ${data.email}: ${answer.status()}`)
  return ((await answer.json()) as { accessToken: string }).accessToken
}

/** A session of the demo firm beside the screens: what a test needs ready before it looks. */
export class Desk {
  private constructor(
    private readonly page: Page,
    readonly token: string,
    readonly role: keyof typeof staff,
  ) {}

  /** A session of this test's own, by the server's word: what one test ends, no other was using. */
  static async open(page: Page, role: keyof typeof staff = "ADMIN") {
    return new Desk(page, await tokenOf(page, staff[role]), role)
  }

  /** The session of this token. */
  static of(page: Page, token: string, role: keyof typeof staff = "ADMIN") {
    return new Desk(page, token, role)
  }

  /** The page's tab is signed in from its first address on, without the form. */
  static async signIn(page: Page, role: keyof typeof staff = "ADMIN", code?: string) {
    const desk = await Desk.open(page, role)
    await desk.seat(page, code ? { id: await desk.clientIdOf(code), code } : undefined)
    return desk
  }

  /** Calls the server; two equal calls are two calls. A refusal ends the test. */
  async call<Data>(method: "GET" | "POST" | "PUT", path: string, data?: unknown): Promise<Data> {
    const headers = { Authorization: `Bearer ${this.token}`, "Idempotency-Key": randomUUID() }
    const answer = await ask(this.page, path, { method, headers, data })
    const body = (await answer.json()) as Answer<Data>
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${body.message ?? ""}`)
    return body.data
  }

  /** The internal id of a client, by the code that people read. */
  async clientIdOf(code: string) {
    const found = await this.call<{ _id: string }[]>("GET", `/admin/clients?query=${code}`)
    return found[0]?._id ?? ""
  }

  /** Gives the page's tab this session and the chosen client, once: later changes in the tab are kept. */
  async seat(page: Page, client?: { id: string; code: string }) {
    const kept = {
      token: this.token,
      role: this.role,
      ...(client ? { clientId: client.id, username: client.code } : {}),
    }
    await page.addInitScript((values) => {
      if (sessionStorage.getItem("e2e.seated")) return
      sessionStorage.setItem("e2e.seated", "yes")
      for (const [name, value] of Object.entries(values)) sessionStorage.setItem(name, value)
      // As the log-in leaves it: what to notice is known, and does not move the screen when it comes.
      const notices = { isPractice: true, mail: "NOT_SET_UP" }
      localStorage.setItem("tarazu.firm-notices", JSON.stringify(notices))
    }, kept)
  }

  /** Adds clients of these names, in one call; answers their ids and codes in this order. */
  async addClients(...names: string[]) {
    const clients = names.map((name) => ({
      name,
      email: `${name.replace(/\W+/g, ".").toLowerCase()}@lists.example`,
      countryCode: "+91",
      contactNumber: "",
      role: "client",
    }))
    const added = await this.call<{ _id: string; clientId: string }[]>("POST", "/clients/add", {
      clients,
    })
    return added.map(({ _id, clientId }) => ({ id: _id, code: clientId }))
  }

  /** Takes away what a test added, so that the firm's counts are as before. */
  async removeClients(query: string) {
    const path = `/clients?limit=200&query=${encodeURIComponent(query)}`
    for (const { _id, version } of await this.call<{ _id: string; version: number }[]>("GET", path))
      await this.call("POST", "/clients/delete", { clientId: _id, version })
  }

  /** A fee of one month that is over, in the client's books. */
  addFee(clientId: string, month: string, finalValue = 110_000) {
    return this.call<{ _id: string; version: number }>(
      "POST",
      `/admin/clients/client/${clientId}/fees`,
      {
        startingDate: `${month}-01`,
        dueDate: `${month}-28`,
        finalDate: `${month}-28`,
        startingValue: 100_000,
        finalValue,
      },
    )
  }

  /** Brings a broker's file into a client's books. */
  importFile(clientId: string, name: string, text: string) {
    return this.upload("/admin/clients/import", clientId, name, text)
  }

  /** Brings a broker's tradebook into a client's books. */
  importTradebook(clientId: string, text: string) {
    return this.upload("/admin/imports/tradebook", clientId, "tradebook.csv", text)
  }

  private async upload(path: string, clientId: string, name: string, text: string) {
    const answer = await ask(this.page, path, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}` },
      multipart: {
        clientId,
        dryRun: "false",
        file: { name, mimeType: "text/csv", buffer: Buffer.from(text) },
      },
    })
    if (!answer.ok()) throw new Error(`${name}: ${await answer.text()}`)
  }
}
