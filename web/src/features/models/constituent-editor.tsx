import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { ClipboardPaste } from "lucide-react"
import { useState } from "react"
import { stocksQuery } from "@/api/shared-queries"
import { count, percent } from "@/lib/format"
import { fits, hasTarget, percentOf, totalOf, WHOLE } from "@/lib/shares"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { ToolbarOptions } from "@/ui/form/options-place"
import StockPicker from "@/parts/stock-picker"
import { TargetMeter } from "@/parts/target-meter"
import { toastCentre } from "@/ui/overlay/toast"
import { ConstituentTable } from "./constituent-table"
import {
  type Constituent,
  fillTheRest,
  keyOf,
  MAX_STOCKS,
  normalise,
  refusalOf,
  spreadEvenly,
  withTarget,
} from "./constituents"
import styles from "./models.module.css"
import { PasteRows } from "./paste-rows"

interface ConstituentEditorProps {
  rows: Constituent[]
  onRows: (change: (rows: Constituent[]) => Constituent[]) => void
}

/** The stocks and their targets: searched, pasted or typed; at most 100% in all. */
export function ConstituentEditor({ rows, onRows }: ConstituentEditorProps) {
  const [query, setQuery] = useState("")
  const [pasted, setPasted] = useState<string | null>(null)
  const search = useQuery({ ...stocksQuery(query), placeholderData: keepPreviousData })

  const add = (stock: Omit<Constituent, "target">) => {
    if (rows.some((row) => keyOf(row) === keyOf(stock))) {
      toastCentre.info(`${stock.symbol} is already in the table.`)
      return false
    }
    if (rows.length >= MAX_STOCKS) {
      toastCentre.error(`A model has at most ${count(MAX_STOCKS)} stocks.`)
      return false
    }
    const { symbol, exchange, name, isin, instrumentToken } = stock
    onRows((old) => [...old, { symbol, exchange, name, isin, instrumentToken, target: null }])
    return true
  }
  const set = (key: string, target: number | null) => {
    const refusal = target === null ? null : refusalOf(rows, key, target)
    if (refusal !== null) {
      toastCentre.error(refusal)
      return false
    }
    onRows((old) => withTarget(old, key, target))
    return true
  }
  const remove = (key: string) => {
    const place = rows.findIndex((row) => keyOf(row) === key)
    const row = rows[place]
    if (!row) return
    onRows((old) => old.filter((each) => keyOf(each) !== key))
    toastCentre.info(`${row.symbol} removed`, {
      undo: () =>
        onRows((old) => {
          if (old.some((each) => keyOf(each) === key)) return old
          const isFitting = fits(row.target ?? 0, old)
          return old.toSpliced(place, 0, isFitting ? row : { ...row, target: null })
        }),
    })
  }

  return (
    <Card flush>
      <div
        className={styles.addBar}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text")
          if (!/[\t\n]/.test(text.trim())) return
          event.preventDefault()
          setPasted(text)
        }}
      >
        <div className={styles.search}>
          <StockPicker
            query={query}
            onQuery={setQuery}
            stocks={search.isError ? [] : (search.data ?? [])}
            isSearching={search.isFetching}
            onPick={add}
          />
        </div>
        <Button icon={<ClipboardPaste size={15} />} onClick={() => setPasted("")}>
          Paste rows
        </Button>
        <ToolbarOptions />
      </div>
      <TargetMeter
        label="Target allocation"
        segments={rows.map((row) => ({
          key: keyOf(row),
          name: row.symbol,
          target: row.target ?? 0,
        }))}
        acts={<SpreadButtons rows={rows} onRows={onRows} />}
      />
      <ConstituentTable rows={rows} onTarget={set} onRemove={remove} />
      <p className={styles.foot}>
        <span>
          Stocks <strong>{count(rows.length)}</strong>
        </span>
        <span>
          Rest in cash: <strong>{percent(percentOf(WHOLE - totalOf(rows)))}</strong>
        </span>
      </p>
      {pasted !== null && (
        <PasteRows
          rows={rows}
          initial={pasted}
          onRows={(next) => onRows(() => next)}
          onClose={() => setPasted(null)}
        />
      )}
    </Card>
  )
}

/** Sets all targets at once. */
function SpreadButtons({ rows, onRows }: ConstituentEditorProps) {
  const total = totalOf(rows)
  const spread = (change: (rows: Constituent[]) => Constituent[], message: string) => {
    onRows(change)
    toastCentre.success(message, { undo: () => onRows(() => rows) })
  }
  return (
    <>
      <Button
        kind="subtle"
        disabled={rows.length === 0}
        onClick={() => spread(spreadEvenly, "All stocks have the same target")}
      >
        Same for all
      </Button>
      <Button
        kind="subtle"
        disabled={total >= WHOLE || !rows.some(hasTarget)}
        onClick={() => spread(fillTheRest, "The rest was spread over the stocks")}
      >
        Fill the rest
      </Button>
      <Button
        kind="subtle"
        disabled={total === 0 || total === WHOLE}
        onClick={() => spread(normalise, "Targets add up to 100%")}
      >
        Normalise to 100%
      </Button>
    </>
  )
}
