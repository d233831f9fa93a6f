import { CalendarDays, Landmark, Plus } from "lucide-react"
import { useState } from "react"
import { saveFile } from "@/lib/save-file"
import { statusWords } from "@/parts/obligation-status"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import { usePageTitle } from "@/ui/page-title"
import { Table } from "@/ui/table/table"
import { type ListProps, pageOf, useListScreen } from "@/ui/table/use-list-screen"
import { Pagination } from "@/ui/table/pagination"
import { DepositDialog } from "./deposit-dialog"
import { obligationColumns } from "./obligation-columns"
import { ObligationDrawer } from "./obligation-drawer"
import { ObligationForm } from "./obligation-form"
import { calendarFile, obligationsQuery, type Obligation, type ObligationStatus } from "./queries"

export interface ObligationsView {
  page: number
  limit: number
  status: ObligationStatus | ""
  obligation: string
}

const noFilter = { status: "" } as const
const choices = { "": "All", ...statusWords }

const takeCalendar = () => {
  calendarFile()
    .then(({ content, name }) => saveFile(content, name))
    .catch(toastError)
}

/** What the firm owes the regulator, by its due day; a row opens to its rule and its evidence. */
export function ObligationsScreen({ view, onView }: ListProps<ObligationsView>) {
  usePageTitle("Compliance")
  const [isAdding, setIsAdding] = useState(false)
  const [isAtDeposit, setIsAtDeposit] = useState(false)
  const list = useListScreen({
    view,
    onView,
    query: {
      ...obligationsQuery,
      select: (rows: Obligation[]) =>
        pageOf(
          rows.filter(({ status }) => view.status === "" || status === view.status),
          view,
        ),
    },
    noFilter,
  })
  const open = (obligation: string) => onView({ obligation })
  return (
    <>
      <Card flush>
        <Toolbar
          action={
            <Button kind="primary" icon={<Plus size={15} />} onClick={() => setIsAdding(true)}>
              Add obligation
            </Button>
          }
        >
          <Segments
            label="Show obligations"
            choices={choices}
            value={view.status}
            onChoice={(status) => list.filter({ status })}
          />
          <Button icon={<CalendarDays size={15} />} onClick={takeCalendar}>
            Calendar
          </Button>
          <Button icon={<Landmark size={15} />} onClick={() => setIsAtDeposit(true)}>
            Deposit
          </Button>
        </Toolbar>
        <Table
          {...list.table}
          label="Obligations"
          name="obligations"
          columns={obligationColumns}
          rowKey={(row) => row._id}
          rowName={(row) => row.title}
          onOpen={(row) => open(row._id)}
          around={280}
          skeletonRows={10}
          empty={list.empty({
            hint: "Obligations appear here.",
            noMatch: "No obligation has this status.",
            clearLabel: "Show all",
          })}
        />
        <Pagination {...list.pages} sizes={[25, 50, 100]} label="Pages of obligations" />
      </Card>
      {view.obligation !== "" && (
        <ObligationDrawer
          id={view.obligation}
          rows={list.result.data?.data ?? []}
          onObligation={open}
        />
      )}
      {isAtDeposit && <DepositDialog onClose={() => setIsAtDeposit(false)} />}
      {isAdding && <ObligationForm edited={null} onClose={() => setIsAdding(false)} />}
    </>
  )
}
