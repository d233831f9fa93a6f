const reasons: Partial<Record<string, string>> = {
  NO_SIGN_CHANGE: "Money only went in, or only came out, so there is no rate of return.",
  NO_REAL_ROOT: "No yearly rate balances these cash flows.",
  ZERO_DURATION: "Everything happened on one day; a yearly rate needs at least two.",
  NO_CASH_FLOWS: "There are no cash flows yet. Enter the starting date and capital.",
  BEYOND_RANGE: "The yearly rate is too large to be meaningful; see the plain return.",
  AMBIGUOUS: "Several rates solve these cash flows; this is the one nearest zero.",
  TOTAL_LOSS: "Money went in and nothing is left.",
}

/** Why there is no rate, or what to know about it; undefined when there is nothing to say. */
export const xirrReason = (code: string) => reasons[code]
