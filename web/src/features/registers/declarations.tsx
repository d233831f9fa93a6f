import { CalendarX, Pencil } from "lucide-react"
import { useSession } from "@/api/use-session"
import { date, today } from "@/lib/dates"
import { quantity } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { Breaches } from "./breaches"
import { bodyOf, type Draft, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import { type Declaration, type RegisterView, useStaffNames, useSaveEntry } from "./queries"
import { RegisterList } from "./register-list"

const kinds = { HOLDING: "Holding", TRADE: "Trade" }
const holderOf = (row: Declaration) => (row.holder === "SELF" ? "Own" : row.relative)

const columns: Column<Declaration>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <strong>{row.tradingSymbol}</strong> <span className="muted">{row.exchange}</span>
      </>
    ),
    card: "title",
  },
  { title: "Staff", cell: (row) => row.staffName, card: "note" },
  { title: "Whose", cell: holderOf, card: "rest" },
  { title: "Kind", cell: (row) => kinds[row.kind], card: "rest" },
  { title: "Side", cell: (row) => (row.side ? <StatusPill word={row.side} /> : "-"), card: "rest" },
  { title: "Shares", cell: (row) => quantity(row.quantity), align: "right", card: "main" },
  { title: "Date", cell: (row) => date(row.datedOn), card: "aside" },
  { title: "Ended", cell: (row) => date(row.endedOn), card: "rest" },
]

const dayHints: Record<string, string> = { HOLDING: "Held since.", TRADE: "The day of the trade." }

const isTrade = ({ kind }: Draft) => kind === "TRADE"

const fields: FieldSpec[] = [
  { name: "kind", label: "Kind", kind: "choice", options: kinds },
  {
    name: "holder",
    label: "Whose",
    kind: "choice",
    options: { SELF: "Own", RELATIVE: "A relative's" },
  },
  {
    name: "relative",
    label: "Which relative",
    kind: "line",
    hint: "Such as spouse or father.",
    isShown: ({ holder }) => holder === "RELATIVE",
  },
  { name: "tradingSymbol", label: "Stock", kind: "stock" },
  {
    name: "side",
    label: "Side",
    kind: "choice",
    options: { BUY: "Bought", SELL: "Sold" },
    isShown: isTrade,
  },
  { name: "quantity", label: "Shares", kind: "line" },
  {
    name: "datedOn",
    label: "Date",
    kind: "day",
    max: today(),
    hint: ({ kind }) => dayHints[kind ?? ""],
  },
]

const whose: FieldSpec = {
  name: "staffId",
  label: "Member of staff",
  kind: "choice",
  useOptions: useStaffNames,
  isOptional: true,
  hint: "Empty for yourself.",
}

const bodyFrom = (draft: Draft, version?: number) => bodyOf(draft, ["side", "staffId"], version)

/** Holdings and trades of staff and their relatives: the own ones, for an ADMIN all. */
export function Declarations(props: ListProps<RegisterView>) {
  const isAdmin = useSession("role") === "ADMIN"
  const entry = useSaveEntry("declarations")
  const formOf = (): FormSpec => ({
    title: "Declare",
    fields: isAdmin ? [whose, ...fields] : fields,
    initial: {
      ...{ staffId: "", kind: "", holder: "SELF", relative: "", tradingSymbol: "" },
      ...{ exchange: "NSE", stockName: "", side: "", quantity: "", datedOn: "" },
    },
    save: (draft, keyOf) => {
      const body = bodyFrom(draft)
      return entry.mutateAsync({ id: null, body, key: keyOf(body) })
    },
    done: "Declaration added",
  })
  const editOf = (row: Declaration): FormSpec => ({
    title: "Edit declaration",
    fields,
    initial: {
      ...{ kind: row.kind, holder: row.holder, relative: row.relative },
      ...{ tradingSymbol: row.tradingSymbol, exchange: row.exchange, stockName: row.stockName },
      ...{ side: row.side ?? "", quantity: String(row.quantity), datedOn: row.datedOn },
    },
    save: (draft, keyOf) => {
      const body = bodyFrom(draft, row.version)
      return entry.mutateAsync({ id: row._id, body, key: keyOf(body) })
    },
    done: "Declaration saved",
  })
  const endOf = (row: Declaration): FormSpec => ({
    title: `End the holding of ${row.tradingSymbol}`,
    fields: [{ name: "endedOn", label: "Ended on", kind: "day", max: today() }],
    initial: { endedOn: today() },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, [], row.version)
      return entry.mutateAsync({ id: row._id, act: "end", body, key: keyOf(body) })
    },
    done: "End of the holding recorded",
  })
  return (
    <RegisterList
      {...props}
      name="declarations"
      title="Own trading"
      columns={columns}
      rowName={(row) => `${kinds[row.kind].toLowerCase()} of ${row.tradingSymbol}`}
      addLabel="Declare"
      hint="Declared holdings and trades of staff and their relatives appear here."
      formOf={formOf}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(editOf(row)) },
        {
          label: "End holding",
          icon: <CalendarX size={15} />,
          disabled: row.kind === "TRADE" || row.endedOn !== null,
          onSelect: () => open(endOf(row)),
        },
      ]}
    >
      {isAdmin && <Breaches />}
    </RegisterList>
  )
}
