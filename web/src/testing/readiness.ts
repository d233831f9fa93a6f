import type { ReadinessRow } from "@/features/readiness/queries"
import { pageOf } from "./clients"
import { answer } from "./server"
import { signedIn } from "./signed-in"

/** A client in order, as the server answers it. */
export const readinessRow = (change: Partial<ReadinessRow> = {}): ReadinessRow => ({
  _id: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  broker: "ZERODHA",
  session: "LIVE",
  sessionUntil: "2026-11-22T00:30:00Z",
  linkedAt: null,
  syncedAt: "2026-11-21T05:00:00Z",
  outcome: "DONE",
  reason: "",
  leftOut: [],
  priceAt: "2026-11-21T05:00:00Z",
  lateActions: [],
  unexplained: 0,
  unmapped: 0,
  moneyByBooks: null,
  moneyAtBroker: null,
  moneyDifference: 0,
  problems: [],
  ...change,
})

const noClients = {
  total: 0,
  ready: 0,
  session: 0,
  sync: 0,
  leftOut: 0,
  unmapped: 0,
  changes: 0,
  actions: 0,
  money: 0,
  prices: 0,
}

/** Answers the list of the Readiness screen; `counts` differ from 0, `more` is beside the rows. */
export function readinessAnswered(
  rows: ReadinessRow[],
  counts: Partial<typeof noClients> = {},
  more: { alarms?: string[]; toConnect?: number } = {},
) {
  signedIn("USER")
  answer("get", "/admin/sync", null, pageOf(rows.length))
  return answer("get", "/admin/readiness", rows, {
    counts: { ...noClients, ...counts },
    toConnect: 0,
    mastersReadAt: {},
    alarms: [],
    ...more,
    ...pageOf(rows.length),
  })
}
