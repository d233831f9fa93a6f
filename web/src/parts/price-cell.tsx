import { price } from "@/lib/format"
import { StaleNote } from "./stale-note"

interface PriceCellProps {
  row: {
    ltp: number | null
    priceAt: string | null
    priceSource: string | null
    isPriceStale: boolean
  }
}

/** A price; one that is too old to advise at is pale and shows its day. */
export function PriceCell({ row }: PriceCellProps) {
  if (!row.isPriceStale) return price(row.ltp)
  return (
    <span className="price-stale">
      {price(row.ltp)}
      <StaleNote at={row.priceAt} source={row.priceSource} />
    </span>
  )
}
