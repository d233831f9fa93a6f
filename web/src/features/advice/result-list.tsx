import { useState } from "react"
import { recall, remember } from "@/lib/remember"
import { mostShare } from "@/ui/chart/before-after"
import { Card } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import styles from "./advice.module.css"
import { byCause, causeName } from "./causes"
import type { RebalanceRow } from "./draft"
import { RowDetails } from "./row-details"
import { barColumns, rebalanceColumns, Trades } from "./rebalance-table"

const views = { bars: "Bars", table: "Table" }
const groups = { side: "Buy and sell", cause: "Reason" }

/** One of these choices, remembered on this device. */
function useRemembered<Choice extends string>(name: string, choices: Record<Choice, string>) {
  const [first] = Object.keys(choices) as [Choice]
  const [value, setValue] = useState(() => {
    const known = recall(name)
    return typeof known === "string" && known in choices ? (known as Choice) : first
  })
  const onChoice = (choice: Choice) => {
    setValue(choice)
    remember(name, choice)
  }
  return { choices, value, onChoice }
}

/** All rows of a rebalance; each opens to its reason, its figures and the analyst's own sentence. */
export function ResultList({ rows }: { rows: RebalanceRow[] }) {
  const view = useRemembered("advice.view", views)
  const group = useRemembered("advice.group", groups)
  const isTable = view.value === "table"
  const isByCause = group.value === "cause"
  return (
    <Card
      flush
      title="Orders"
      note={isTable ? undefined : "Grey: now · Blue: after · Tick: target"}
      actions={
        <>
          <Segments label="Group by" {...group} />
          <Segments label="View" {...view} />
        </>
      }
    >
      <Trades
        label="Rebalance"
        name={isTable ? "rebalance" : undefined}
        columns={isTable ? rebalanceColumns : barColumns(mostShare(rows))}
        rows={isByCause ? byCause(rows) : rows}
        groupOf={isByCause ? (row) => causeName(row, rows) : undefined}
        details={(row) => <RowDetails row={row} />}
        isDense={isTable}
      />
      <div className={styles.foot}>
        <p className={styles.totals}>
          <span>
            Total Stock <strong>{rows.length}</strong>
          </span>
        </p>
      </div>
    </Card>
  )
}
