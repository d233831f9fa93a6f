import { date, dateTime } from "@/lib/dates"
import { count, missing, percent, signedPercent } from "@/lib/format"
import { LongText } from "@/ui/long-text"
import { basisPointsOf, percentOf } from "@/lib/shares"
import { StockName } from "@/parts/stock-name"
import { Card, Screen } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { type Difference, differencesOf } from "./constituents"
import type { ModelView } from "./model-page"
import { textsOf } from "./model-version"
import styles from "./models.module.css"
import { versionsFile } from "./queries"
import type { ModelVersion } from "./types"

interface ModelHistoryProps {
  modelId: string
  /** Newest first. */
  versions: ModelVersion[]
  view: ModelView
  onView: (change: Partial<ModelView>) => void
}

const versionColumns: Column<ModelVersion>[] = [
  { title: "Version", cell: (version) => <strong>Version {version.number}</strong>, card: "title" },
  { title: "Published", cell: (version) => dateTime(version.createdAt), card: "note" },
  { title: "By", cell: (version) => version.author, card: "aside" },
  { title: "Stocks", cell: (version) => count(version.constituents.length), align: "right" },
  { title: "Cash", cell: (version) => percent(version.cashPercentage), align: "right" },
  { title: "Rationale", cell: (version) => <LongText>{version.rationale}</LongText> },
]

/** All versions, and a comparison of two. */
export function ModelHistory({ modelId, versions, view, onView }: ModelHistoryProps) {
  return (
    <Screen>
      <Card flush title="Versions" note="A published version never changes">
        <Table
          label="Versions"
          name="model-versions"
          columns={versionColumns}
          download={(format) => versionsFile(modelId, format)}
          rows={versions}
          rowKey={(version) => version._id}
          rowName={(version) => `version ${version.number}`}
          onOpen={(version) => onView({ tab: "version", number: version.number })}
          maxHeight={300}
          empty={{ title: "No Data Available" }}
        />
      </Card>
      {versions.length > 1 && <Comparison versions={versions} view={view} onView={onView} />}
    </Screen>
  )
}

const differenceColumns: Column<Difference>[] = [
  { title: "Stock", cell: (row) => <StockName {...row} />, card: "title" },
  { title: "Status", cell: (row) => <DifferencePill row={row} />, card: "note" },
  { title: "Before", cell: (row) => shareOf(row.before), align: "right" },
  { title: "After", cell: (row) => shareOf(row.after), align: "right", card: "aside" },
  {
    title: "Change",
    cell: (row) => signedPercent(percentOf(row.change)),
    align: "right",
    card: "main",
  },
]

const shareOf = (points: number | null) => (points === null ? missing : percent(percentOf(points)))

function DifferencePill({ row }: { row: Difference }) {
  if (row.before === null) return <StatusPill word="Added" tone="gain" />
  if (row.after === null) return <StatusPill word="Removed" tone="loss" />
  if (row.change === 0) return <StatusPill word="Unchanged" tone="neutral" />
  return <StatusPill word={row.change > 0 ? "Increased" : "Reduced"} tone="brand" />
}

const weightsOf = (version: ModelVersion | undefined) =>
  (version?.constituents ?? []).map((row) => ({
    symbol: row.tradingSymbol,
    exchange: row.exchange,
    target: basisPointsOf(row.allocationPercentage),
  }))

function Comparison({ versions, view, onView }: Omit<ModelHistoryProps, "modelId">) {
  const [newest, previous] = versions
  const after = versions.find(({ number }) => number === view.number) ?? newest
  const before =
    versions.find(({ number }) => number === view.against) ??
    versions.find(({ number }) => number === (after?.number ?? 0) - 1) ??
    previous
  const rows = differencesOf(weightsOf(before), weightsOf(after))
  const options = Object.fromEntries(
    versions
      .toReversed()
      .map(({ number, createdAt }) => [String(number), `Version ${number} · ${date(createdAt)}`]),
  )
  return (
    <Card flush title="Compare">
      <div className={styles.compare}>
        <SelectField
          label="From"
          options={options}
          value={String(before?.number ?? "")}
          onChange={(event) => onView({ against: Number(event.currentTarget.value) })}
        />
        <SelectField
          label="To"
          options={options}
          value={String(after?.number ?? "")}
          onChange={(event) => onView({ number: Number(event.currentTarget.value) })}
        />
      </div>
      <Table
        label="Differences"
        name="model-differences"
        columns={differenceColumns}
        rows={rows}
        rowKey={(row) => row.key}
        rowName={(row) => row.symbol}
        isMuted={(row) => row.change === 0}
        empty={{ title: "No Data Available" }}
      />
      {before && after && <TextChanges before={before} after={after} />}
    </Card>
  )
}

/** The texts that differ, old above new. */
function TextChanges({ before, after }: { before: ModelVersion; after: ModelVersion }) {
  const old = new Map(textsOf(before))
  const changed = textsOf(after).filter(([name, text]) => old.get(name) !== text)
  if (changed.length === 0) return null
  return (
    <dl className={styles.changes}>
      {changed.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <del>{old.get(name)}</del>
          </dd>
          <dd>
            <ins>{text}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
