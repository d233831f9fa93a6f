import { Pencil, Plus, Trash2 } from "lucide-react"
import { date } from "@/lib/dates"
import { quantity, rupees } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { type Entry, type Lots, useRemoveEntry } from "./queries"
import { entryWords } from "./words"

interface EntriesTableProps {
  clientId: string
  lots: Lots
  onAdd: () => void
  onEdit: (entry: Entry, symbol: string) => void
}

/** What staff entered by hand, each to be changed or removed. */
export function EntriesTable({ clientId, lots, onAdd, onEdit }: EntriesTableProps) {
  useAmountsHidden()
  const symbols = new Map(lots.stocks.map((stock) => [stock.isin, stock.tradingSymbol]))
  const symbolOf = ({ isin }: Entry) => symbols.get(isin) ?? isin
  const nameOf = (entry: Entry) => `${symbolOf(entry)}, ${quantity(entry.quantity)} shares`
  const remove = useRemoval(clientId, nameOf)
  const menu = (entry: Entry): MenuEntry[] => [
    { label: "Edit", icon: <Pencil size={15} />, onSelect: () => onEdit(entry, symbolOf(entry)) },
    {
      label: "Remove",
      icon: <Trash2 size={15} />,
      isDanger: true,
      onSelect: () => void remove(entry),
    },
  ]
  const add = (
    <Button icon={<Plus size={15} />} onClick={onAdd}>
      Enter lot
    </Button>
  )
  return (
    <Card flush title="Entered by hand" actions={add}>
      <Table
        label="Entered by hand"
        columns={columnsOf(symbolOf)}
        rows={lots.entries}
        rowKey={(entry) => entry._id}
        rowName={nameOf}
        menu={menu}
        isDense
        empty={{
          title: "No Data Available",
          hint: "Shares without a known trade, such as an older purchase, are entered here.",
        }}
      />
    </Card>
  )
}

const columnsOf = (symbolOf: (entry: Entry) => string): Column<Entry>[] => [
  { title: "Stock", cell: (entry) => <strong>{symbolOf(entry)}</strong>, card: "title" },
  { title: "What", cell: (entry) => entryWords[entry.kind], card: "note" },
  { title: "Bought", cell: (entry) => date(entry.boughtOn) },
  { title: "In or out", cell: (entry) => date(entry.movedOn) },
  {
    title: "Shares",
    cell: (entry) => quantity(entry.quantity),
    align: "right",
    card: "main",
  },
  { title: "Amount", cell: (entry) => rupees(entry.amount), align: "right", card: "aside" },
]

function useRemoval(clientId: string, nameOf: (entry: Entry) => string) {
  const removal = useRemoveEntry(clientId)
  return async (entry: Entry) => {
    const isSure = await confirm({
      title: `Remove the entry of ${nameOf(entry)}?`,
      text: "Lots and gains are computed without it again. The entry stays in the audit trail.",
      act: "Remove",
      isDanger: true,
    })
    if (!isSure) return
    removal.mutate(entry._id, {
      onSuccess: () => toast.success("Entry removed"),
      onError: toastError,
    })
  }
}
