import { dateTime } from "@/lib/dates"
import { percent } from "@/lib/format"
import { basisPointsOf } from "@/lib/shares"
import { ShareBar } from "@/ui/chart/bars"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { PriceCell } from "@/parts/price-cell"
import { type Column, Table } from "@/ui/table/table"
import { TargetMeter, useLitRow } from "@/parts/target-meter"
import { keyOf } from "./constituents"
import styles from "./models.module.css"
import type { ConstituentRow, ModelVersion } from "./types"

const rowKey = ({ tradingSymbol: symbol, exchange }: ConstituentRow) => keyOf({ symbol, exchange })

const columnsFor = (largest: number): Column<ConstituentRow>[] => [
  {
    title: "Stock",
    cell: (row) => (
      <span data-target={rowKey(row)}>
        <strong>{row.tradingSymbol}</strong> <span className={styles.quiet}>{row.exchange}</span>
      </span>
    ),
    card: "title",
  },
  {
    title: "Name",
    cell: (row) => <span className={styles.long}>{row.name}</span>,
    card: "note",
  },
  { title: "LTP", cell: (row) => <PriceCell row={row} />, align: "right", card: "aside" },
  {
    title: "Target",
    cell: (row) => <ShareBar share={row.allocationPercentage} largest={largest} />,
    align: "right",
    card: "main",
  },
]

interface ModelVersionProps {
  version: ModelVersion
  /** The number of the newest version. */
  newest: number
  onNewest: () => void
}

/** What a version holds and why, as it was published. */
export function ModelVersionShown({ version, newest, onNewest }: ModelVersionProps) {
  const frame = useLitRow()
  const { constituents } = version
  const rows = constituents.toSorted(
    (one, other) =>
      other.allocationPercentage - one.allocationPercentage ||
      one.tradingSymbol.localeCompare(other.tradingSymbol),
  )
  const largest = Math.max(0.01, ...rows.map((row) => row.allocationPercentage))
  return (
    <div className={styles.stack}>
      {version.number !== newest && (
        <div className={styles.notice} role="status">
          <p>
            This is version {version.number}. Clients follow version {newest}.
          </p>
          <Button onClick={onNewest}>Show version {newest}</Button>
        </div>
      )}
      <div className={styles.columns}>
        <Card flush>
          <div className={styles.meter}>
            <TargetMeter
              label="Constituents"
              segments={rows.map((row) => ({
                key: rowKey(row),
                name: row.tradingSymbol,
                target: basisPointsOf(row.allocationPercentage),
              }))}
            />
          </div>
          <div ref={frame}>
            <Table
              label="Constituents"
              name="model-version"
              columns={columnsFor(largest)}
              rows={rows}
              rowKey={rowKey}
              rowName={(row) => row.tradingSymbol}
              totals={{
                Target: percent(rows.reduce((sum, row) => sum + row.allocationPercentage, 0)),
              }}
              around={420}
              empty={{ title: "No Data Available" }}
            />
          </div>
          <p className={styles.foot}>
            <span>
              Cash takes the rest: <strong>{percent(version.cashPercentage)}</strong>
            </span>
          </p>
        </Card>
        <Card title="About this version">
          <dl className={styles.texts}>
            {textsOf(version).map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <p className={styles.by}>
            Published {dateTime(version.createdAt)} by {version.author}. A version never changes.
          </p>
        </Card>
      </div>
    </div>
  )
}

/** The texts of a version under their names, in the order in which they are read. */
export const textsOf = (version: ModelVersion): [string, string][] => [
  ["Rationale", version.rationale],
  ["Benchmark", version.benchmark],
  ["Universe", version.universe],
  ["Selection method", version.selectionMethod],
  ["Risks", version.risks],
]
