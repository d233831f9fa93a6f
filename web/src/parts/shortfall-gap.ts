import type { ExecutedLine, Execution, ShortfallGap } from "./follow-up"

/** Why a shortfall is not known, or not whole, in two or three words beside the figure. */
export const gapWords: Record<ShortfallGap, string> = {
  TRADES_NOT_READ: "trades not read",
  NO_CLOSE: "no close known",
  NO_SALE_PRICE: "sale price not known",
}

const sentences: Record<ShortfallGap, (isOver: boolean) => string> = {
  TRADES_NOT_READ: (isOver) =>
    isOver
      ? "the client’s trades were not read up to the end of the window."
      : "the client’s trades have not been read since the advice was sent.",
  NO_CLOSE: (isOver) =>
    isOver
      ? "no closing price of the window’s days is known. Import the exchange’s price file of one of them."
      : "no closing price is known since the advice was sent. Closes are stored after the market closes.",
  NO_SALE_PRICE: () =>
    "the price of a sale is not known, so its shares are left out. Import the tradebook for the exact trades.",
}

/** What is missing of a line's shortfall, in a sentence; null when nothing is. */
export const lineGap = ({ shortfallGap }: ExecutedLine, isOver: boolean) =>
  shortfallGap && `Shortfall: ${sentences[shortfallGap](isOver)}`

/** What is missing of an advice's shortfall, with the stocks it is missing of; null when nothing is. */
export function adviceGap({ shortfallGap, isOver, lines }: Execution): string | null {
  if (shortfallGap === null) return null
  const stocks = lines
    .filter((line) => line.shortfallGap === shortfallGap)
    .map((line) => line.tradingSymbol)
  const named = stocks.length === lines.length ? "" : `${stocks.join(", ")}: `
  return `Shortfall: ${named}${sentences[shortfallGap](isOver)}`
}
