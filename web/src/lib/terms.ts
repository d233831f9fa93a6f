/** What a term of the screens means, in one sentence. */
interface Term {
  /** The labels under which screens show it. */
  labels: string[]
  meaning: string
}

/** The catalogue of terms: the ⓘ beside a label and the help panel read it. */
export const terms: Record<string, Term> = {
  "Absolute return": {
    labels: ["Absolute return"],
    meaning: "The gain as a percentage of the money invested, not annualised.",
  },
  "Active share": {
    labels: ["Active share"],
    meaning:
      "Half the sum of all differences between actual and target weights, cash included: 0% is exactly on target.",
  },
  AUM: {
    labels: ["Total AUM"],
    meaning: "Assets under management: the current value of all active clients' holdings and cash.",
  },
  Drift: {
    labels: ["Drift", "Largest Drift", "Worst Drift"],
    meaning:
      "The current weight of a stock, or of cash, less its target weight, in percentage points.",
  },
  "Total drift": {
    labels: ["Total Drift"],
    meaning:
      "Half the sum of the drift of all stocks and cash, signs ignored: the part of the portfolio that would have to be moved.",
  },
  "Followed %": {
    labels: ["Followed %"],
    meaning:
      "The value of the advised shares that were traded, as a percentage of the value of all advised shares, both at the advised prices.",
  },
  "High-water mark": {
    labels: ["High-water mark"],
    meaning:
      "The highest final value on which a fee was charged before, or the starting capital if larger: only a gain above it is charged.",
  },
  "Days of volume": {
    labels: ["Days of Volume"],
    meaning:
      "The shares traded for the advice of one day, divided by the stock’s average daily volume of the last 20 known days up to the window’s end; the highest such figure. High: too thin for this book.",
  },
  "Implementation shortfall": {
    labels: ["Shortfall", "Implementation shortfall"],
    meaning:
      "What acting later or at other prices cost against the advised prices: the shares traded, the shares not traded at the latest price, and charges; above zero is a cost, 100 bp are 1%.",
  },
  "Max drawdown": {
    labels: ["Max drawdown"],
    meaning: "The deepest fall from a high to a later low, in time-weighted value.",
  },
  Optimality: {
    labels: ["Optimality"],
    meaning:
      "How much closer to the targets another plan in whole shares could be; 0 bp is proved to be the closest.",
  },
  "P&L%": {
    labels: ["P&L%"],
    meaning:
      "Profit or loss as a percentage of net investment, or since purchase where no investment is entered.",
  },
  Slippage: {
    labels: ["Median Slippage (bp)"],
    meaning:
      "The average price of the trades against the advised price, in basis points; above zero is a cost.",
  },
  "Time to act": {
    labels: ["Time to Act"],
    meaning:
      "Trading time from the sending to the first trade, and to 90% of the advised shares; nights and holidays do not count.",
  },
  "Time-weighted return": {
    labels: ["Time-weighted"],
    meaning:
      "The growth of one rupee that stayed invested: the timing of deposits and withdrawals does not count.",
  },
  "Tracking error": {
    labels: ["Tracking error"],
    meaning:
      "The distance from the targets after the trades: the root of the sum of squared differences in weight, cash included; 100 bp are 1%.",
  },
  Turnover: {
    labels: ["Turnover"],
    meaning: "Half of what is bought and sold, as a percentage of the Investment Value.",
  },
  XIRR: {
    labels: ["XIRR%", "XIRR (annualised)", "XIRR"],
    meaning:
      "The yearly rate of return that takes the date of each deposit and withdrawal into account (money-weighted).",
  },
  "XIRR period": {
    labels: ["XIRR(Period)"],
    meaning: "The years from the first cash flow to today over which XIRR is calculated.",
  },
}

const byLabel = new Map(
  Object.entries(terms).flatMap(([name, { labels, meaning }]) =>
    labels.map((label) => [label, { name, meaning }] as const),
  ),
)

/** The term that a label shows; undefined where the label needs no explanation. */
export const termOf = (label: string) => byLabel.get(label)
