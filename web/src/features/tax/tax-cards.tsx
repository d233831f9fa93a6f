import { rupees } from "@/lib/format"
import { CardGrid } from "@/ui/card"
import { Change, Money, useAmountsHidden } from "@/ui/money"
import { StatCard } from "@/ui/stat-card"
import type { Gains } from "./queries"
import { betterWay } from "./words"

const noTax = "Not worked out: the rates changed within this year"
const nothingKnown = "No sale of this year is known"

/** Whether sums mean anything: with sales of which none is known they would look like a year without a gain. */
const isAnyKnown = ({ unknownDisposals, disposals }: Gains) =>
  unknownDisposals === 0 || disposals.some((sale) => sale.reason === null)

/** The sums of a tax year; undefined while it loads. */
export function TaxCards({ gains }: { gains: Gains | undefined }) {
  useAmountsHidden()
  const isLoading = gains === undefined
  const known = gains && isAnyKnown(gains) ? gains : undefined
  const better = known?.tax?.ways.find((way) => way.way === known.tax?.better)
  const sums = (gain: number | undefined, loss: number | undefined) => ({
    isLoading,
    value: <Change value={gain === undefined || loss === undefined ? null : gain - loss} />,
    context: known ? `Gains ${rupees(gain)}, losses ${rupees(loss)}` : nothingKnown,
  })
  const { realised } = known ?? {}
  return (
    <CardGrid>
      <StatCard label="Short-term" {...sums(realised?.shortGain, realised?.shortLoss)} />
      <StatCard label="Long-term" {...sums(realised?.longGain, realised?.longLoss)} />
      <StatCard
        label="Tax after set-off"
        isLoading={isLoading}
        value={<Money value={better?.tax} />}
        context={known ? (known.tax ? betterWay(known.tax) : noTax) : nothingKnown}
      />
      <StatCard
        label="Exemption used"
        isLoading={isLoading}
        value={<Money value={known?.usedExemption} />}
        context={`${rupees(known?.unusedExemption)} unused of ${rupees(gains?.rates.exemption)}`}
      />
      <StatCard
        label="Loss to carry forward"
        isLoading={isLoading}
        value={<Money value={better && better.shortLoss + better.longLoss} />}
        context={`Short-term ${rupees(better?.shortLoss)}, long-term ${rupees(better?.longLoss)}`}
      />
    </CardGrid>
  )
}
