import type { components } from "@/api/schema"

type Connection = components["schemas"]["ClientConnection"]

/** A client's connection as the server answers it; of one who never logged in. */
export const connection = (change: Partial<Connection> = {}): Connection => ({
  state: "LOGGED_OUT",
  broker: "",
  userBrokerId: "",
  canConnect: true,
  sessionId: null,
  sessionBroker: null,
  reportedId: null,
  connectedAt: null,
  connectedUntil: null,
  confirmedAt: null,
  confirmedBy: "",
  endedAt: null,
  endReason: null,
  link: null,
  ...change,
})

/** Of one who logged in with an ID that nobody has confirmed. */
export const awaiting = (change: Partial<Connection> = {}): Connection =>
  connection({
    state: "AWAITING",
    sessionId: "session-1",
    sessionBroker: "ZERODHA",
    reportedId: "AB1234",
    connectedAt: "2026-11-20T04:00:00Z",
    connectedUntil: "2026-11-21T00:30:00Z",
    ...change,
  })

/** Of one who is connected. */
export const connected = (change: Partial<Connection> = {}): Connection =>
  awaiting({
    state: "CONNECTED",
    broker: "ZERODHA",
    userBrokerId: "AB1234",
    confirmedAt: "2026-11-20T04:05:00Z",
    confirmedBy: "Meera Nair",
    ...change,
  })
