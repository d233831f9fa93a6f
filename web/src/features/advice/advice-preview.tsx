import { useQuery } from "@tanstack/react-query"
import { Copy, Printer } from "lucide-react"
import { firmQuery } from "@/api/shared-queries"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, CardGrid } from "@/ui/card"
import { Money } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { StatCard } from "@/ui/stat-card"
import { ComputedScreen } from "./computed-screen"
import type { AdviceDraft, Rebalance } from "./draft"
import { useResult } from "./fewer-orders-queries"
import { previewColumns, Trades } from "./rebalance-table"
import { RowDetails } from "./row-details"
import { isTraded, worthOf } from "./sending"
import { copyTrades } from "./trade-list"
import { useAdvice } from "./use-advice"

/** The advice as the client receives it: only the traded stocks. */
export function AdvicePreview() {
  const advice = useAdvice()
  const computed = useResult(advice)
  const { data: firm } = useQuery(firmQuery)
  usePageTitle("Advice preview", advice.client?.name)
  return (
    <ComputedScreen
      advice={advice}
      computed={computed}
      valueLabel="Invested Value"
      actions={(answer) => (
        <>
          <Button
            icon={<Copy size={15} />}
            onClick={() => void copyTrades({ advice, answer, firm })}
          >
            Copy
          </Button>
          <Button icon={<Printer size={15} />} onClick={() => window.print()}>
            Print
          </Button>
        </>
      )}
    >
      {(answer) => <Preview advice={advice} answer={answer} />}
    </ComputedScreen>
  )
}

function Preview({ advice, answer }: { advice: AdviceDraft; answer: Rebalance }) {
  const trades = answer.data.filter(isTraded)
  const { buyValue, sellValue } = answer.summary
  return (
    <>
      <CardGrid>
        <StatCard label="Total Stock" value={count(trades.length)} context="orders to send" />
        <StatCard
          label="Total Buy"
          value={<Money value={worthOf(trades, "BUY")} />}
          context={
            <>
              value after buying · orders of <Money value={buyValue} />
            </>
          }
        />
        <StatCard
          label="Total Sell"
          value={<Money value={worthOf(trades, "SELL")} />}
          context={
            <>
              value left after selling · orders of <Money value={sellValue} />
            </>
          }
        />
        <StatCard
          label="Total Investment Value"
          value={<Money value={advice.investment === "" ? null : advice.investment} />}
          context="stocks and cash together"
        />
      </CardGrid>
      <Card flush title="Orders">
        <Trades
          label="Advice preview"
          name="rebalance"
          columns={previewColumns}
          rows={trades}
          details={(row) => <RowDetails row={row} />}
        />
      </Card>
    </>
  )
}
