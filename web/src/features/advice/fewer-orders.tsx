import { messageOf } from "@/api/client"
import { count, decimal, rupees, shortRupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { ErrorNote, Loading } from "@/ui/states"
import { draft } from "./draft"
import type { OrderStop, Result } from "./fewer-orders-queries"
import styles from "./fewer-orders.module.css"
import { StopSlider } from "./stop-slider"

const errorOf = ({ summary }: OrderStop) => summary.trackingErrorBps

/** A stop against all orders: `24 → 11 orders, +3.10 bp, charges ₹210.40 → ₹98.20`. */
function stopText(stops: OrderStop[], chosen: OrderStop): string {
  const [full] = stops
  if (!full || full === chosen) return `All ${count(chosen.orders)} orders`
  const more = errorOf(chosen) - errorOf(full)
  return (
    `${count(full.orders)} → ${count(chosen.orders)} orders, ` +
    `${more < 0 ? "" : "+"}${decimal(more)} bp tracking error, ` +
    `charges ${rupees(full.summary.estimatedCharges)} → ${rupees(chosen.summary.estimatedCharges)}`
  )
}

interface FewerOrdersProps {
  stops: Result["stops"]
  /** The chosen stop; 0 is the rebalance with all of its orders. */
  stop: number
}

/** Five stops from all orders to few of them, each with its figures; the chosen one becomes the result. */
export function FewerOrders({ stops: query, stop }: FewerOrdersProps) {
  const stops = query.data ?? []
  if (query.isError) {
    const message = messageOf(query.error, "Fewer orders could not be computed.")
    return (
      <Card title="Fewer orders">
        <ErrorNote message={message} onRetry={query.refetch} />
      </Card>
    )
  }
  if (query.isPending) {
    return (
      <Card title="Fewer orders">
        <div className={styles.waiting}>
          <Loading text="Comparing..." />
        </div>
      </Card>
    )
  }
  const chosen = stops[stop]
  // A rebalance of one order, or of none, has nothing to leave out.
  if (!chosen || stops.every(({ orders }) => orders === stops[0]?.orders)) return null
  return (
    <Card title="Fewer orders" note="Leaves out the orders that matter least">
      <StopSlider
        label="Fewer orders"
        stops={stops}
        chosen={chosen}
        text={stopText(stops, chosen)}
        figures={figures}
        onChoose={(to) => draft.edit({ stop: to })}
      />
    </Card>
  )
}

const figures: [name: string, figure: (stop: OrderStop) => string][] = [
  ["Orders", ({ orders }) => count(orders)],
  ["Tracking error, bp", (stop) => decimal(errorOf(stop))],
  ["Charges", ({ summary }) => shortRupees(summary.estimatedCharges)],
]
