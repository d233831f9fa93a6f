import { Switch } from "@mantine/core"
import { time } from "@/lib/dates"
import { count, missing, rupees } from "@/lib/format"
import { LongText } from "@/ui/long-text"
import { PillAndMore } from "@/ui/pill-and-more"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { DriftCell } from "@/parts/drift-cell"
import type { RunClient } from "./types"
import { clientStateWords, tileTones, tileWords } from "./words"

/** The tile, and how many more reasons there are; all of them are in the tooltip. */
export const TilePill = ({ row }: { row: RunClient }) => (
  <PillAndMore
    word={tileWords[row.tile]}
    tone={tileTones[row.tile]}
    more={row.reasons.length - 1}
    text={row.reasons.map(({ message }) => message).join(" ")}
  />
)

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
  { title: "To Buy", cell: (row) => rupees(row.buyValue), sortKey: "buyValue", align: "right" },
  { title: "To Sell", cell: (row) => rupees(row.sellValue), sortKey: "sellValue", align: "right" },
  { title: "Cash After", cell: (row) => rupees(row.cashAfter), align: "right" },
  { title: "Charges", cell: (row) => rupees(row.estimatedCharges), align: "right" },
]

const trades: Column<RunClient> = {
  title: "Orders",
  cell: (row) => count(row.trades),
  sortKey: "trades",
  align: "right",
  card: "aside",
}

/** While the run is in review. */
export const reviewColumns = (
  onChoose: (row: RunClient, isIncluded: boolean) => void,
): Column<RunClient>[] => [
  {
    title: "Send",
    cell: (row) => (
      <Switch
        aria-label={`Send to ${row.name}`}
        checked={row.isIncluded}
        disabled={!row.canBeIncluded}
        title={row.note === "" ? undefined : row.note}
        onChange={() => onChoose(row, !row.isIncluded)}
      />
    ),
    width: 64,
  },
  ...client,
  { title: "Why", cell: (row) => <TilePill row={row} />, card: "main" },
  { title: "Investment Value", cell: (row) => rupees(row.investmentValue), align: "right" },
  {
    title: "Largest Drift, % of Investment Value",
    cell: (row) => <DriftCell drift={row.maxDrift} symbol={row.maxDriftSymbol} />,
    sortKey: "maxDrift",
  },
  trades,
  ...money,
]

/** While the run is sent, and afterwards. */
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
    cell: (row) => <LongText title={outcomeOf(row)}>{outcomeOf(row)}</LongText>,
  },
  trades,
  ...money,
]

export const outcomeOf = (row: RunClient) => {
  if (row.error !== "") return row.error
  if (row.sentAt !== null) return `Sent at ${time(row.sentAt)} IST`
  return row.note === "" ? missing : row.note
}
