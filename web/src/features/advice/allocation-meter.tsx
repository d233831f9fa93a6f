import { totalOf, WHOLE } from "@/lib/shares"
import { Button } from "@/ui/button"
import { TargetMeter } from "@/parts/target-meter"
import { type AdviceRow, isCash, keyOf, rowsToFill } from "./targets"
import { StartFrom } from "./start-from"
import { fillRest, normaliseAll } from "./row-changes"

/** How much of 100% is allocated, and the buttons that change all targets. */
export function AllocationMeter({ rows }: { rows: AdviceRow[] }) {
  const total = totalOf(rows)
  return (
    <TargetMeter
      label="Target allocation"
      segments={rows.map((row) => ({
        key: keyOf(row),
        name: row.tradingSymbol,
        target: row.target ?? 0,
        isCash: isCash(row),
      }))}
      acts={
        <>
          {rows.length > 0 && <StartFrom rows={rows} isMenu />}
          <Button
            kind="subtle"
            disabled={total >= WHOLE || rowsToFill(rows).length === 0}
            onClick={fillRest}
          >
            Fill the rest
          </Button>
          <Button kind="subtle" disabled={total === 0 || total === WHOLE} onClick={normaliseAll}>
            Normalise to 100%
          </Button>
        </>
      }
    />
  )
}
