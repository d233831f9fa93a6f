import { useQuery } from "@tanstack/react-query"
import { Pencil, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { restrictionsQuery } from "@/api/shared-queries"
import { useSession } from "@/api/use-session"
import { missing, percent } from "@/lib/format"
import { kindWords } from "@/lib/restriction-words"
import { LongText } from "@/ui/long-text"
import { StockName } from "@/parts/stock-name"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { lazyComponent } from "@/ui/lazy-component"
import { StatusPill } from "@/ui/status-pill"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { keyOf, type Restriction, restrictionsFile, useSaveRestrictions } from "./queries"

const RestrictionForm = lazyComponent(() => import("./restriction-form"))

const columns: Column<Restriction>[] = [
  {
    title: "Stock",
    cell: (row) => <StockName symbol={row.tradingSymbol} exchange={row.exchange} />,
    card: "title",
  },
  {
    title: "Kind",
    cell: (row) => (
      <StatusPill word={kindWords[row.kind]} tone={row.kind === "LOCKED" ? "warn" : "brand"} />
    ),
    card: "main",
  },
  { title: "At Least", cell: (row) => percent(row.minimumPercentage), align: "right" },
  { title: "At Most", cell: (row) => percent(row.maximumPercentage), align: "right" },
  {
    title: "Reason",
    cell: (row) => (
      <LongText title={row.reason}>{row.reason === "" ? missing : row.reason}</LongText>
    ),
    card: "note",
  },
]

/** The client's restrictions on single stocks; every rebalance applies them. */
export function ClientRestrictions() {
  const clientId = useSession("clientId") ?? ""
  const isAdmin = useSession("role") === "ADMIN"
  const [edited, setEdited] = useState<"new" | Restriction | null>(null)
  const query = useQuery(restrictionsQuery(clientId))
  const { isPending, isError, refetch } = query
  const { save, isSaving } = useSaveRestrictions(clientId)
  const rows = query.data?.restrictions

  const remove = async (row: Restriction) => {
    const isSure = await confirm({
      title: `Remove the restriction of ${row.tradingSymbol}?`,
      text: "From the next rebalance it is traded like any other stock.",
      act: "Remove",
      isDanger: true,
    })
    if (!isSure || !query.data) return
    const rest = query.data.restrictions.filter((each) => keyOf(each) !== keyOf(row))
    await save(query.data.version, rest, () => toast.success("Restriction removed"))
  }
  const menu = (row: Restriction): MenuEntry[] => [
    {
      label: "Edit",
      icon: <Pencil size={15} aria-hidden="true" />,
      onSelect: () => setEdited(row),
    },
    {
      label: "Remove",
      icon: <Trash2 size={15} aria-hidden="true" />,
      isDanger: true,
      onSelect: () => void remove(row),
    },
  ]
  const add = isAdmin && (
    <Button
      icon={<Plus size={15} aria-hidden="true" />}
      disabled={!query.data}
      onClick={() => setEdited("new")}
    >
      Add restriction
    </Button>
  )
  return (
    <Card flush title="Restrictions" note="Applied to every rebalance" actions={add || undefined}>
      <Table
        label="Restrictions"
        name="restrictions"
        columns={columns}
        download={(format) => restrictionsFile(clientId, format)}
        rows={rows}
        rowKey={keyOf}
        rowName={(row) => row.tradingSymbol}
        state={{ isPending, isFetching: false, isError, refetch }}
        menu={isAdmin ? menu : undefined}
        skeletonRows={2}
        empty={{
          title: "No Data Available",
          hint: "Locked, excluded or range-limited stocks appear here.",
        }}
      />
      {edited !== null && query.data && (
        <RestrictionForm
          known={query.data.restrictions}
          edited={edited === "new" ? null : edited}
          isSaving={isSaving}
          onClose={() => setEdited(null)}
          onSave={(next) =>
            save(query.data.version, next, () => {
              toast.success("Restriction saved")
              setEdited(null)
            })
          }
        />
      )}
    </Card>
  )
}
