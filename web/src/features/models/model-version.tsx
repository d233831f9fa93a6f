import { dateTime } from "@/lib/dates"
import { percent } from "@/lib/format"
import { basisPointsOf } from "@/lib/shares"
import { ShareBar } from "@/ui/chart/bars"
import { LongText } from "@/ui/long-text"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Notice } from "@/ui/notice"
import { PriceCell } from "@/parts/price-cell"
import { StockName } from "@/parts/stock-name"
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
        <StockName symbol={row.tradingSymbol} exchange={row.exchange} />
      </span>
    ),
    card: "title",
  },
  { title: "Name", cell: (row) => <LongText>{row.name}</LongText>, card: "note" },
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

/** A published version: its stocks and its texts. */
export function ModelVersionPanel({ version, newest, onNewest }: ModelVersionProps) {
  const frame = useLitRow()
  const { constituents } = version
  const rows = constituents.toSorted(
    (first, second) =>
      second.allocationPercentage - first.allocationPercentage ||
      first.tradingSymbol.localeCompare(second.tradingSymbol),
  )
  const largest = Math.max(0.01, ...rows.map((row) => row.allocationPercentage))
  return (
    <Screen>
      {version.number !== newest && (
        <Notice actions={<Button onClick={onNewest}>Show version {newest}</Button>}>
          This is version {version.number}. Clients follow version {newest}.
        </Notice>
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
              Rest in cash: <strong>{percent(version.cashPercentage)}</strong>
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
            Published {dateTime(version.createdAt)} by {version.author}. A published version never
            changes.
          </p>
        </Card>
      </div>
    </Screen>
  )
}

/** The texts of a version with their labels, in reading order. */
export const textsOf = (version: ModelVersion): [string, string][] => [
  ["Rationale", version.rationale],
  ["Benchmark", version.benchmark],
  ["Universe", version.universe],
  ["Selection method", version.selectionMethod],
  ["Risks", version.risks],
]
