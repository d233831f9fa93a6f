import { Switch } from "@mantine/core"
import { time } from "@/lib/dates"
import { count, missing, rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { clientStateWords, tileTones, tileWords } from "./book-words"
import { DriftCell } from "./drift-cell"
import styles from "./models.module.css"
import type { RunClient } from "./types"

/** The first reason in words; the rest are counted, and told to those who ask. */
export function TileOf({ row }: { row: RunClient }) {
  const told = row.reasons.map(({ message }) => message).join(" ")
  const others = row.reasons.length - 1
  return (
    <span className={styles.pills} title={told === "" ? undefined : told}>
      <StatusPill word={tileWords[row.tile]} tone={tileTones[row.tile]} />
      {others > 0 && (
        <>
          <span aria-hidden="true">+{count(others)}</span>
          <span className="sr-only">{told}</span>
        </>
      )}
    </span>
  )
}

const client: Column<RunClient>[] = [
  { title: "Client ID", cell: (row) => row.clientId, sortKey: "clientId", card: "note" },
  {
    title: "Client Name",
    cell: (row) => <strong>{row.name}</strong>,
    sortKey: "name",
    card: "title",
  },
]

const money: Column<RunClient>[] = [
  {
    title: "To Buy",
    cell: (row) => rupees(row.buyValue),
    sortKey: "buyValue",
    align: "right",
    card: "rest",
  },
  {
    title: "To Sell",
    cell: (row) => rupees(row.sellValue),
    sortKey: "sellValue",
    align: "right",
    card: "rest",
  },
  { title: "Cash After", cell: (row) => rupees(row.cashAfter), align: "right", card: "rest" },
  {
    title: "Charges",
    cell: (row) => rupees(row.estimatedCharges),
    align: "right",
    card: "rest",
  },
]

const trades: Column<RunClient> = {
  title: "Orders",
  cell: (row) => count(row.trades),
  sortKey: "trades",
  align: "right",
  card: "aside",
}

interface ReviewActs {
  /** Null for those who may only look. */
  onChoose: ((row: RunClient, isIncluded: boolean) => void) | null
}

/** While the run waits for its sending. */
export const reviewColumns = ({ onChoose }: ReviewActs): Column<RunClient>[] => [
  {
    title: "Send",
    cell: (row) => (
      <Switch
        aria-label={`Send to ${row.name}`}
        checked={row.isIncluded}
        disabled={onChoose === null || !row.canBeIncluded}
        title={row.note === "" ? undefined : row.note}
        onChange={() => onChoose?.(row, !row.isIncluded)}
      />
    ),
    width: 64,
    card: "rest",
  },
  ...client,
  { title: "Why", cell: (row) => <TileOf row={row} />, card: "main" },
  {
    title: "Investment Value",
    cell: (row) => rupees(row.investmentValue),
    align: "right",
    card: "rest",
  },
  {
    title: "Largest Drift",
    cell: (row) => <DriftCell drift={row.maxDrift} symbol={row.maxDriftSymbol} />,
    sortKey: "maxDrift",
    card: "rest",
  },
  trades,
  ...money,
]

/** Once it is sent, or while it is being sent. */
export const sentColumns: Column<RunClient>[] = [
  ...client,
  {
    title: "State",
    cell: (row) => {
      const [word, tone] = row.isIncluded ? clientStateWords[row.state] : clientStateWords.REVIEW
      return <StatusPill word={word} tone={tone} />
    },
    card: "main",
  },
  {
    title: "What Happened",
    cell: (row) => (
      <span className={styles.long} title={wordsOf(row)}>
        {wordsOf(row)}
      </span>
    ),
    card: "rest",
  },
  trades,
  ...money,
]

export const wordsOf = (row: RunClient) => {
  if (row.error !== "") return row.error
  if (row.sentAt !== null) return `Sent at ${time(row.sentAt)} IST`
  return row.note === "" ? missing : row.note
}
