import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { createPortal } from "react-dom"
import { firmQuery } from "@/api/shared-queries"
import { longDate } from "@/lib/dates"
import { decimal, percent, price, quantity } from "@/lib/format"
import { pricesOf } from "@/lib/price-sources"
import { noteTaken, type Taken } from "@/lib/taken"
import { PRACTICE, type RegistrationDetails } from "@/parts/registration"
import { toastCentre } from "@/ui/overlay/toast"
import styles from "./advice.module.css"
import type { AdviceDraft, Rebalance, RebalanceRow } from "./draft"
import { isTraded, noteOf, tradedValue } from "./sending"

interface Sheet {
  advice: AdviceDraft
  answer: Rebalance
  firm: RegistrationDetails | undefined
}

// Shown even while amounts are hidden on screen.
const sum = (rupees: number | null) => `₹${decimal(rupees)}`

/** An order, and under it the analyst's own sentence. */
const line = (row: RebalanceRow, advice: AdviceDraft) =>
  [
    `${row.type} ${quantity(row.quantity)} ${row.symbol} (${row.exchange}) at about ₹${price(row.ltp)} = ${sum(tradedValue(row))}`,
    noteOf(row, advice),
  ]
    .filter((text) => text !== "")
    .join("\n  ")

/** Whether the prices are simulated. */
const isPractice = (answer: Rebalance) => answer.priceSource.sources.includes("SIMULATED")

/** The trades as text for a message; it opens with the registered name and number, as the regulator asks. */
function tradeText({ advice, answer, firm }: Sheet): string {
  const { client, investment } = advice
  return [
    firm && `${firm.analystName}, SEBI Research Analyst ${firm.registrationNumber}`,
    `${client?.name ?? ""} (${client?.code ?? ""}), Investment Value ${sum(investment === "" ? null : investment)}`,
    `Prices: ${pricesOf(answer.data.filter(isTraded))}`,
    isPractice(answer) ? PRACTICE : undefined,
    "",
    ...answer.data.filter(isTraded).map((row) => line(row, advice)),
    "",
    `To sell ${sum(answer.summary.sellValue)}, to buy ${sum(answer.summary.buyValue)}, cash after ${sum(answer.summary.cashAfter)}`,
  ]
    .filter((each) => each !== undefined)
    .join("\n")
}

const takenOf = (
  way: Taken["way"],
  { advice: { client }, answer }: Omit<Sheet, "firm">,
): Taken => ({
  what: "Trade list",
  way,
  rows: answer.data.filter(isTraded).length,
  clientId: client?.id,
})

/** Copies the trade list, ready to paste into a message. */
export async function copyTrades(sheet: Sheet) {
  try {
    await navigator.clipboard.writeText(tradeText(sheet))
    noteTaken(takenOf("copied", sheet))
    toastCentre.success("Trade list copied")
  } catch {
    toastCentre.error("The trade list could not be copied", {
      detail: "The browser does not let this page write to the clipboard.",
    })
  }
}

/** Printed instead of the screen: the registration, then the trades. */
export function PrintSheet({ advice, answer }: Omit<Sheet, "firm">) {
  const { data: firm } = useQuery(firmQuery)
  const { client, investment, rationale } = advice
  useEffect(() => {
    // Printing starts from our button or from the browser.
    const note = () => noteTaken(takenOf("printed", { advice, answer }))
    window.addEventListener("beforeprint", note)
    return () => window.removeEventListener("beforeprint", note)
  }, [advice, answer])
  const trades = answer.data.filter(isTraded)
  const { sellValue, buyValue, cashAfter, estimatedCharges } = answer.summary
  return createPortal(
    <article className={styles.sheet} aria-hidden="true">
      <header>
        <h1>{firm?.name}</h1>
        <p>
          {firm?.analystName}, SEBI Research Analyst {firm?.registrationNumber}
        </p>
        <p>
          Registration {firm?.validity.toLowerCase()}, valid from {longDate(firm?.registeredFrom)}
        </p>
      </header>
      {isPractice(answer) && <p className={styles.simulated}>{PRACTICE}</p>}
      <h2>
        Trades for {client?.name} ({client?.code})
      </h2>
      <p>
        Investment Value {sum(investment === "" ? null : investment)} · prices: {pricesOf(trades)} ·{" "}
        {trades.length} orders
      </p>
      <table>
        <thead>
          <tr>
            <th>Type</th>
            <th>Stock</th>
            <th>Exchange</th>
            <th>Quantity</th>
            <th>Price</th>
            <th>Value</th>
            <th>New share</th>
            <th>Reason</th>
          </tr>
        </thead>
        <tbody>
          {trades.map((row) => (
            <tr key={`${row.exchange}:${row.symbol}`}>
              <td>{row.type}</td>
              <td>{row.symbol}</td>
              <td>{row.exchange}</td>
              <td>{quantity(row.quantity)}</td>
              <td>{price(row.ltp)}</td>
              <td>{sum(tradedValue(row))}</td>
              <td>{percent(row.possibleAllocationPercentage)}</td>
              <td>
                {row.message}
                {noteOf(row, advice) !== "" && <p>{noteOf(row, advice)}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        To sell {sum(sellValue)} · to buy {sum(buyValue)} · cash after {sum(cashAfter)} · charges
        about {sum(estimatedCharges)}
      </p>
      {rationale.trim() !== "" && <p className={styles.rationale}>{rationale}</p>}
      <footer>
        <p>{firm?.disclosures}</p>
        <p className={styles.warning}>{firm?.standardWarning}</p>
        <p>{firm?.noAssurance} Orders are placed by the client alone.</p>
      </footer>
    </article>,
    document.body,
  )
}
