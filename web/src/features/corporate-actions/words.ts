import { date } from "@/lib/dates"
import { count } from "@/lib/format"
import type { PillTone } from "@/ui/status-pill"
import type { ActionKind, ActionRow, ActionState } from "./queries"

export const kindWords: Record<ActionKind, string> = {
  BONUS: "Bonus",
  SPLIT: "Split",
  CONSOLIDATION: "Consolidation",
  DIVIDEND: "Dividend",
  RIGHTS: "Rights",
  DEMERGER: "Demerger",
  MERGER: "Merger",
  BUYBACK: "Buyback",
}

export const stateWords: Record<ActionState, { word: string; tone: PillTone }> = {
  ANNOUNCED: { word: "Announced", tone: "brand" },
  PENDING: { word: "Pending", tone: "warn" },
  LATE: { word: "Late", tone: "loss" },
  DONE: { word: "Done", tone: "gain" },
}

export const nameOf = (row: ActionRow) => row.tradingSymbol ?? row.isin

/** "Bonus of INFY on 28/10/2026": what a row is called. */
export const titleOf = (row: ActionRow) =>
  `${kindWords[row.kind]} of ${nameOf(row)} on ${date(row.exOn)}`

/** What is undone when an action is removed, for the question before it. */
export function undoneBy(row: ActionRow): string {
  const stays = "The entry stays in the audit trail."
  if (row.state === "ANNOUNCED") return `It will not be applied on its ex-date. ${stays}`
  const changes = { BONUS: true, SPLIT: true, CONSOLIDATION: true } as Record<string, boolean>
  if (!changes[row.kind]) return `It will no longer be shown or counted. ${stays}`
  const isin = row.newIsin === null ? "" : ` The share has its ISIN ${row.isin} again.`
  const whose =
    row.clients === 0
      ? "No client holds the share now."
      : `${row.clients === 1 ? "1 client holds" : `${count(row.clients)} clients hold`} it now.`
  const figures =
    "Holdings, values, tax lots and the follow-up of advice are computed without it again."
  return `${figures}${isin} ${whose}${waitingText(row)} ${stays}`
}

/** What becomes of the shares that clients wait for; "" where nobody waits. */
function waitingText({ waiting }: ActionRow): string {
  if (waiting === 0) return ""
  const whose = waiting === 1 ? "1 of them waits" : `${count(waiting)} of them wait`
  return ` ${whose} for shares that are not credited yet: these are no longer counted.`
}
