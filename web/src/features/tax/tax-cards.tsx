import { rupees } from "@/lib/format"
import { CardGrid } from "@/ui/card"
import { Change, Money, useAmountsHidden } from "@/ui/money"
import { StatCard } from "@/ui/stat-card"
import type { Gains } from "./queries"
import { betterWay } from "./words"

const noTax = "Not worked out: the rates changed within this year"

/** The sums of a tax year; undefined while it loads. */
export function TaxCards({ gains }: { gains: Gains | undefined }) {
  useAmountsHidden()
  const isLoading = gains === undefined
  const { realised, tax } = gains ?? {}
  const better = tax?.ways.find((way) => way.way === tax.better)
  const parts = (gain: number | undefined, loss: number | undefined) =>
    `Gains ${rupees(gain)}, losses ${rupees(loss)}`
  return (
    <CardGrid>
      <StatCard
        label="Short-term"
        isLoading={isLoading}
        value={<Change value={realised && realised.shortGain - realised.shortLoss} />}
        context={parts(realised?.shortGain, realised?.shortLoss)}
      />
      <StatCard
        label="Long-term"
        isLoading={isLoading}
        value={<Change value={realised && realised.longGain - realised.longLoss} />}
        context={parts(realised?.longGain, realised?.longLoss)}
      />
      <StatCard
        label="Tax after set-off"
        isLoading={isLoading}
        value={<Money value={better?.tax} />}
        context={tax ? betterWay(tax) : noTax}
      />
      <StatCard
        label="Exemption used"
        isLoading={isLoading}
        value={<Money value={gains?.usedExemption} />}
        context={`${rupees(gains?.unusedExemption)} unused of ${rupees(gains?.rates.exemption)}`}
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
