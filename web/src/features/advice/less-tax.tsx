import { messageOf } from "@/api/client"
import { count, decimal, rupees, shortRupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { ErrorNote, Loading } from "@/ui/states"
import { draft } from "./draft"
import type { Result, TaxStop } from "./fewer-orders-queries"
import styles from "./fewer-orders.module.css"
import { StopSlider } from "./stop-slider"

const errorOf = ({ summary }: TaxStop) => summary.trackingErrorBps

/** A stop against the closest one: `tax ₹3,956 → ₹910, +30.40 bp tracking error, 48 → 46 orders`. */
function stopText(stops: TaxStop[], chosen: TaxStop): string {
  const [full] = stops
  if (!full || full === chosen) return `Closest to the targets: tax ${rupees(chosen.tax)}`
  const more = errorOf(chosen) - errorOf(full)
  return (
    `Tax ${rupees(full.tax)} → ${rupees(chosen.tax)}, ` +
    `${more < 0 ? "" : "+"}${decimal(more)} bp tracking error, ` +
    `${count(full.orders)} → ${count(chosen.orders)} orders`
  )
}

const figures: [name: string, figure: (stop: TaxStop) => string][] = [
  ["Tax", (stop) => shortRupees(stop.tax)],
  ["Tracking error, bp", (stop) => decimal(errorOf(stop))],
  ["Orders", ({ orders }) => count(orders)],
]

interface LessTaxProps {
  stops: Result["taxStops"]
  /** The chosen stop; 0 is the rebalance closest to the targets. */
  stop: number
}

/** Five stops from the closest rebalance to one without tax; the chosen one becomes the result. */
export function LessTax({ stops: query, stop }: LessTaxProps) {
  if (query.isError) {
    const message = messageOf(query.error, "Less tax could not be computed.")
    return (
      <Card title="Less tax">
        <ErrorNote message={message} onRetry={query.refetch} />
      </Card>
    )
  }
  if (query.isPending) {
    return (
      <Card title="Less tax">
        <div className={styles.waiting}>
          <Loading text="Comparing..." />
        </div>
      </Card>
    )
  }
  const { stops, leftOut, reasonText } = query.data
  if (reasonText !== "") {
    return (
      <Card title="Less tax">
        <p className="muted">{reasonText}</p>
      </Card>
    )
  }
  const chosen = stops[stop]
  // A rebalance whose sales add no tax has nothing to save.
  if (!chosen || stops.every(({ tax }) => tax === stops[0]?.tax)) return null
  return (
    <Card title="Less tax" note="Sells less where the tax is high. Arithmetic, not tax advice">
      <StopSlider
        label="Less tax"
        stops={stops}
        chosen={chosen}
        text={stopText(stops, chosen)}
        figures={figures}
        onChoose={(to) => draft.edit({ taxStop: to })}
      />
      {leftOut.length > 0 && (
        <p className="muted">
          Lots not known: {leftOut.join(", ")}. Sold alike at every stop, and in no tax shown here.
        </p>
      )}
    </Card>
  )
}
