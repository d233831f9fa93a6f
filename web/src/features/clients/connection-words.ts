import { dateTime } from "@/lib/dates"
import type { ClientConnection } from "./connection-queries"

const brokerNames: Partial<Record<string, string>> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }

/** What people call a broker. */
export const brokerName = (name: string | null) =>
  name === null ? "" : (brokerNames[name] ?? name)

/** Why a client is logged out, in a sentence; nothing to say while connected, or before the first log-in. */
export function whyLoggedOut(connection: ClientConnection): string {
  const { state, sessionBroker, reportedId, endReason, endedAt, connectedUntil } = connection
  if (state === "CONNECTED") return ""
  if (sessionBroker === null) return "Not connected. Send the client a login link."
  const at = brokerName(sessionBroker)
  const ended = dateTime(endedAt)
  switch (endReason) {
    case "BROKER_ENDED":
      return `${at} ended the session, noticed ${ended}.`
    case "BROKER_INACTIVE":
      return `The session ended when ${at} was set inactive, ${ended}.`
    case "LOGGED_OUT":
      return `Staff ended the session, ${ended}.`
    case "REFUSED":
      return `${reportedId} was refused as the client’s ID, ${ended}.`
    case "WRONG_ID":
      return `Somebody logged in as ${reportedId}, ${ended}. That is not this client’s ID, so it was refused.`
    default:
      return state === "AWAITING" ? "" : `The session ran out ${dateTime(connectedUntil)}.`
  }
}

/** The state of the newest link, in a sentence. */
export function linkWords({ link }: ClientConnection): string {
  if (link === null) return ""
  const until = `It works until ${dateTime(link.expiresAt)}, or until it is used.`
  if (link.mailed === null) return `A link was created ${dateTime(link.madeAt)}. ${until}`
  if (link.mailed.status === "SENT")
    return `A link was mailed ${dateTime(link.mailed.at)}. ${until}`
  return link.mailed.error
    ? `The mail with the link was not delivered: ${link.mailed.error}`
    : "The mail with the link is being sent."
}
