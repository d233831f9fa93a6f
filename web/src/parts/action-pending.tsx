import { quantity } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"

interface ActionPendingProps {
  /** Shares that are owned and not credited yet; 0 where that is not the question. */
  uncredited?: number
}

function hintOf(uncredited: number) {
  if (uncredited === 0) return "The broker does not show the shares after a corporate action yet."
  const shares = uncredited === 1 ? "1 share is" : `${quantity(uncredited)} shares are`
  return `${shares} not credited yet after a corporate action and cannot be sold.`
}

/** Marks shares, or a client with shares, of a corporate action that the broker does not show yet. */
export function ActionPending({ uncredited = 0 }: ActionPendingProps) {
  const hint = hintOf(uncredited)
  return (
    <span title={hint}>
      <StatusPill word="Action pending" tone="warn" />
      <span className="sr-only">. {hint}</span>
    </span>
  )
}
