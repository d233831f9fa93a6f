import { useQuery } from "@tanstack/react-query"
import { Pencil, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { restrictionsQuery } from "@/api/shared-queries"
import { useSession } from "@/api/use-session"
import { missing, percent } from "@/lib/format"
import { kindWords } from "@/lib/restriction-words"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { StatusPill } from "@/ui/status-pill"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import styles from "./models.module.css"
import { RestrictionForm } from "./restriction-form"
import type { Restriction } from "./types"
import { keyOf, restrictionsFile, useSaveRestrictions } from "./use-restrictions"

const columns: Column<Restriction>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <strong>{row.tradingSymbol}</strong> <span className={styles.quiet}>{row.exchange}</span>
      </>
    ),
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
      <span className={styles.long} title={row.reason}>
        {row.reason === "" ? missing : row.reason}
      </span>
    ),
    card: "note",
  },
]

/** What may not be done with single stocks of the client, whoever plans the trades. */
export function ClientRestrictions() {
  const clientId = useSession("clientId") ?? ""
  const isAdmin = useSession("role") === "ADMIN"
  const [edited, setEdited] = useState<"new" | Restriction | null>(null)
  const found = useQuery(restrictionsQuery(clientId))
  const { isPending, isError, refetch } = found
  const { save, isSaving } = useSaveRestrictions(clientId)
  const rows = found.data?.restrictions

  const remove = async (row: Restriction) => {
    const isSure = await confirm({
      title: `Remove the restriction of ${row.tradingSymbol}?`,
      text: "From the next plan on it is traded like any other stock.",
      act: "Remove",
      isDanger: true,
    })
    if (!isSure || !found.data) return
    const rest = found.data.restrictions.filter((each) => keyOf(each) !== keyOf(row))
    await save(found.data.version, rest, () => toast.success("Restriction removed"))
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
      disabled={!found.data}
      onClick={() => setEdited("new")}
    >
      Add restriction
    </Button>
  )
  return (
    <Card flush title="Restrictions" note="Kept by every plan" actions={add || undefined}>
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
          hint: "Stocks that are locked, never bought, or kept within a range stand here.",
        }}
      />
      {edited !== null && found.data && (
        <RestrictionForm
          known={found.data.restrictions}
          edited={edited === "new" ? null : edited}
          isSaving={isSaving}
          onClose={() => setEdited(null)}
          onSave={(next) =>
            save(found.data.version, next, () => {
              toast.success("Restriction saved")
              setEdited(null)
            })
          }
        />
      )}
    </Card>
  )
}
