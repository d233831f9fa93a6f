import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Copy, Ellipsis, Eye, Printer, RefreshCw } from "lucide-react"
import { firmQuery } from "@/api/shared-queries"
import { count, percent } from "@/lib/format"
import { IconButton } from "@/ui/button"
import { Card, CardGrid } from "@/ui/card"
import { ButtonMenu } from "@/ui/overlay/menu"
import { Money } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { StatCard } from "@/ui/stat-card"
import styles from "./advice.module.css"
import { ComputedScreen } from "./computed-screen"
import type { AdviceDraft, Rebalance } from "./draft"
import { FewerOrders } from "./fewer-orders"
import { type Result, useResult } from "./fewer-orders-queries"
import { LessTax } from "./less-tax"
import { OptionsPopover } from "./options-popover"
import { RebalanceSummary } from "./rebalance-summary"
import { ResultList } from "./result-list"
import { isTraded } from "./sending"
import { copyTrades } from "./trade-list"
import { useAdvice } from "./use-advice"

/** The computed rebalance: four numbers, what it costs, fewer orders, and one list of all rows; then Send. */
export function RebalanceResult() {
  const advice = useAdvice()
  const computed = useResult(advice)
  const { data: firm } = useQuery(firmQuery)
  const navigate = useNavigate()
  usePageTitle("Rebalance", advice.client?.name)
  return (
    <ComputedScreen
      advice={advice}
      computed={computed}
      valueLabel="Investment Value"
      actions={(answer) => (
        <>
          <ButtonMenu
            label="More"
            button={<IconButton framed label="More" icon={<Ellipsis size={16} />} />}
            entries={[
              { label: "Recompute", icon: <RefreshCw size={15} />, onSelect: computed.recompute },
              {
                label: "Preview",
                icon: <Eye size={15} />,
                onSelect: () => void navigate({ to: "/home/advice-preview" }),
              },
              {
                label: "Copy trade list",
                icon: <Copy size={15} />,
                onSelect: () => void copyTrades({ advice, answer, firm }),
              },
              { label: "Print", icon: <Printer size={15} />, onSelect: () => window.print() },
            ]}
          />
          <OptionsPopover advice={advice} />
        </>
      )}
    >
      {(answer) => <Computed advice={advice} answer={answer} result={computed} />}
    </ComputedScreen>
  )
}

interface ComputedProps {
  advice: AdviceDraft
  answer: Rebalance
  result: Result
}

function Computed({ advice, answer, result }: ComputedProps) {
  const { data: rows, summary } = answer
  const sales = rows.filter((row) => row.type === "SELL").length
  const purchases = rows.filter((row) => row.type === "BUY").length
  return (
    <>
      <CardGrid>
        <StatCard
          label="To buy"
          value={<Money value={summary.buyValue} />}
          context={`${purchases} order${purchases === 1 ? "" : "s"}`}
        />
        <StatCard
          label="To sell"
          value={<Money value={summary.sellValue} />}
          context={`${sales} order${sales === 1 ? "" : "s"}`}
        />
        <StatCard
          label="Cash after"
          value={<Money value={summary.cashAfter} />}
          context={`${percent(summary.cashAfterPct)} of the Investment Value`}
        />
        <StatCard
          label="Trades"
          value={count(rows.filter(isTraded).length)}
          context={`of ${rows.length} stocks`}
        />
      </CardGrid>
      <div className={styles.columns}>
        <Card title="Summary">
          <RebalanceSummary answer={answer} />
        </Card>
        <div className={styles.stacked}>
          <FewerOrders stops={result.stops} stop={advice.stop} />
          <LessTax stops={result.taxStops} stop={advice.taxStop} />
        </div>
      </div>
      <ResultList rows={rows} />
    </>
  )
}
