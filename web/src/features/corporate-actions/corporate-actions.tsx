import { Pencil, Plus, Trash2, Upload } from "lucide-react"
import { useState } from "react"
import { useSession } from "@/api/use-session"
import { today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { Segments } from "@/ui/form/segments"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { actionCardColumns, actionColumns } from "./action-columns"
import { ActionForm } from "./action-form"
import styles from "./corporate-actions.module.css"
import { ImportActions } from "./import-actions"
import {
  type ActionRow,
  actionsFile,
  actionsQuery,
  type ActionsView,
  useRemoveAction,
} from "./queries"
import { titleOf, undoneBy } from "./words"

const noFilter = { query: "", from: "", to: "", state: "", of: "" } as const
const states = {
  "": "All",
  ANNOUNCED: "Announced",
  PENDING: "Pending",
  LATE: "Late",
  DONE: "Done",
} as const
const shares = { "": "All stocks", held: "Held by clients" } as const

/** What companies do to their shares, whom it touches, and how far each action has come. */
export function CorporateActions({ view, onView }: ListProps<ActionsView>) {
  usePageTitle("Corporate actions")
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const [opened, setOpened] = useState<"import" | "add" | ActionRow | null>(null)
  const list = useListScreen({ view, onView, query: actionsQuery(view), noFilter })
  const menu = useRowMenu(setOpened)
  const importButton = (
    <Button icon={<Upload size={15} />} onClick={() => setOpened("import")}>
      Import
    </Button>
  )
  const actions = isAdmin && (
    <div className={styles.acts}>
      {importButton}
      <Button kind="primary" icon={<Plus size={15} />} onClick={() => setOpened("add")}>
        Add action
      </Button>
    </div>
  )
  return (
    <Screen>
      <Card flush>
        <Toolbar action={actions}>
          <SearchField label="Search by symbol or ISIN" {...list.search} />
          <Segments
            label="State"
            choices={states}
            value={view.state}
            onChoice={(state) => list.filter({ state })}
          />
          <Segments
            label="Stocks"
            choices={shares}
            value={view.of}
            onChoice={(of) => list.filter({ of })}
          />
          <DateRangeField
            label="Ex-dates"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Corporate actions"
          name="corporate-actions"
          download={(format) => actionsFile(view, format)}
          columns={isPhone ? actionCardColumns : actionColumns}
          rowKey={(row) => row._id}
          rowName={titleOf}
          menu={isAdmin ? menu : undefined}
          around={260}
          skeletonRows={10}
          empty={list.empty({
            hint: "Import NSE's list of corporate actions, or add an action by hand.",
            action: isAdmin ? importButton : undefined,
            noMatch: "No corporate action matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} label="Pages of actions" />
      </Card>
      {opened === "import" && <ImportActions onClose={() => setOpened(null)} />}
      {opened !== null && opened !== "import" && (
        <ActionForm edited={opened === "add" ? null : opened} onClose={() => setOpened(null)} />
      )}
    </Screen>
  )
}

/** What an ADMIN may do with an action. */
function useRowMenu(onEdit: (row: ActionRow) => void) {
  const removal = useRemoveAction()
  const remove = async (row: ActionRow) => {
    const isSure = await confirm({
      title: `Undo the ${titleOf(row).replace(/^./, (letter) => letter.toLowerCase())}?`,
      text: undoneBy(row),
      act: "Undo",
      isDanger: true,
    })
    if (!isSure) return
    removal.mutate(row._id, {
      onSuccess: (message) => toast.success(message),
      onError: toastError,
    })
  }
  return (row: ActionRow): MenuEntry[] => [
    { label: "Edit", icon: <Pencil size={15} />, onSelect: () => onEdit(row) },
    {
      label: "Undo",
      icon: <Trash2 size={15} />,
      isDanger: true,
      onSelect: () => void remove(row),
    },
  ]
}
