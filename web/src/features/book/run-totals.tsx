import { count } from "@/lib/format"
import { CardGrid } from "@/ui/card"
import { Money } from "@/ui/money"
import { StatCard } from "@/ui/stat-card"
import type { Run } from "./types"

/** The orders of the included clients. */
export function RunTotals({ run }: { run: Run }) {
  const { totals, sending } = run
  const isSent = sending.total > 0
  return (
    <CardGrid>
      <StatCard
        label={isSent ? "Sent" : "Included"}
        value={count(isSent ? sending.sent : totals.included)}
        context={`of ${count(isSent ? sending.total : totals.clients)} clients`}
      />
      <StatCard
        label="To buy"
        value={<Money value={totals.buyValue} />}
        context="for included clients"
      />
      <StatCard
        label="To sell"
        value={<Money value={totals.sellValue} />}
        context="for included clients"
      />
      <StatCard
        label="Charges"
        value={<Money value={totals.estimatedCharges} />}
        context="estimated"
      />
      <StatCard
        label="Tax"
        value={<Money value={totals.estimatedTax} />}
        context={
          totals.unknownTax > 0 ? `not known of ${count(totals.unknownTax)}` : "after set-off"
        }
      />
      <StatCard label="Orders" value={count(totals.trades)} context="each at the client's broker" />
    </CardGrid>
  )
}
