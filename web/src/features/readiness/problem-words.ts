import type { components } from "@/api/schema"
import type { Problem, ReadinessRow, ReadinessView } from "./queries"

type Counts = components["schemas"]["ReadinessCounts"]
type Outcome = NonNullable<ReadinessRow["outcome"]>

/** The problems that prevent advice, in the server's order. */
export const problemWords: Record<Problem, string> = {
  SESSION: "Not logged in",
  SYNC: "Not synced",
  LEFT_OUT: "Rows left out",
  UNMAPPED: "Unknown stocks",
  CHANGES: "Unexplained changes",
  ACTIONS: "Late credit of shares",
  MONEY: "Cash mismatch",
  PRICES: "Stale prices",
}

export const outcomeWords: Record<Outcome, string> = {
  WAITING: "Waiting",
  DONE: "Synced",
  NO_SESSION: "Not logged in",
  DEAD: "Session ended",
  DOUBTED: "Needs confirmation",
  FAILED: "Failed",
}

export const brokerWords: Partial<Record<string, string>> = {
  ZERODHA: "Zerodha",
  ANGEL_ONE: "Angel One",
}

/** The filters with how many clients each shows. */
export const filtersOf = (counts: Counts | undefined) =>
  [
    { show: "", label: "All", count: counts?.total },
    { show: "READY", label: "Ready", count: counts?.ready },
    { show: "SESSION", label: problemWords.SESSION, count: counts?.session },
    { show: "SYNC", label: problemWords.SYNC, count: counts?.sync },
    { show: "LEFT_OUT", label: problemWords.LEFT_OUT, count: counts?.leftOut },
    { show: "UNMAPPED", label: problemWords.UNMAPPED, count: counts?.unmapped },
    { show: "CHANGES", label: problemWords.CHANGES, count: counts?.changes },
    { show: "ACTIONS", label: problemWords.ACTIONS, count: counts?.actions },
    { show: "MONEY", label: problemWords.MONEY, count: counts?.money },
    { show: "PRICES", label: problemWords.PRICES, count: counts?.prices },
  ] as const satisfies readonly {
    show: ReadinessView["show"]
    label: string
    count: number | undefined
  }[]
