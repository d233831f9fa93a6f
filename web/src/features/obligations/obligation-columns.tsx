import { date } from "@/lib/dates"
import { missing } from "@/lib/format"
import { ObligationPill } from "@/parts/obligation-status"
import type { Column } from "@/ui/table/table"
import type { Obligation } from "./queries"

export const obligationColumns: Column<Obligation>[] = [
  { title: "Obligation", cell: (row) => <strong>{row.title}</strong>, card: "title" },
  {
    title: "Due",
    cell: (row) => date(row.current?.dueOn) || missing,
    card: "note",
    width: 110,
  },
  { title: "For", cell: (row) => row.note || missing, card: "aside" },
  { title: "Rule", cell: (row) => row.ruleText },
  {
    title: "Status",
    cell: (row) => <ObligationPill status={row.status} />,
    card: "main",
    width: 140,
  },
]
