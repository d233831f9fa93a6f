import { useQuery } from "@tanstack/react-query"
import { Link2, RefreshCw, Search } from "lucide-react"
import { useState } from "react"
import { count } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { useOpenClient } from "@/parts/use-open-client"
import { useSyncClient } from "@/parts/use-sync-client"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { GoTo } from "@/ui/go-to"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { ErrorNote } from "@/ui/states"
import { type MenuEntry, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { ProblemFilter } from "./problem-filter"
import {
  lastRunQuery,
  readinessFile,
  readinessQuery,
  type ReadinessRow,
  type ReadinessView,
  useSendLinks,
  useSyncAll,
} from "./queries"
import { readinessColumns } from "./readiness-columns"
import styles from "./readiness.module.css"
import { RunLine } from "./run-line"
import { StatementDialog } from "./statement-dialog"

const noFilter = { query: "", show: "" } as const

const toastOutcome = { onSuccess: (message: string) => toast.success(message), onError: toastError }

/** Which clients can be advised now, the problems of the others, and the actions that fix them. */
export function Readiness({ view, onView }: ListProps<ReadinessView>) {
  usePageTitle("Readiness")
  useAmountsHidden()
  const openClient = useOpenClient()
  const isPhone = useIsPhone()
  const [openId, setOpenId] = useState<string | null>(null)
  const list = useListScreen({ view, onView, query: readinessQuery(view), noFilter })
  const clients = list.result.data
  const links = useSendLinks()
  const sync = useSyncClient()

  const openRow = clients?.data.find((row) => row._id === openId)
  const menu = (row: ReadinessRow): MenuEntry[] => [
    { label: "Broker statement", icon: <Search size={15} />, onSelect: () => setOpenId(row._id) },
    {
      label: "Sync now",
      icon: <RefreshCw size={15} />,
      disabled: row.session === "NONE" || row.session === "UNCONFIRMED",
      onSelect: () => sync.mutate({ id: row._id }, toastOutcome),
    },
    {
      label: "Send connect link",
      icon: <Link2 size={15} />,
      disabled: row.session !== "NONE",
      onSelect: () => links.mutate([row._id], toastOutcome),
    },
  ]
  return (
    <Screen>
      {clients?.alarms.map((alarm) => (
        <ErrorNote key={alarm} message={alarm} />
      ))}
      <ProblemFilter
        counts={clients?.counts}
        shown={view.show}
        onShow={(show) => list.filter({ show })}
      />
      <RunLine />
      <Card flush>
        <Toolbar action={<Actions toConnect={clients?.toConnect} />}>
          <SearchField
            {...list.search}
            label="Search by name or client ID"
            width={isPhone ? "calc(100% - 44px)" : undefined}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Readiness"
          name="readiness"
          columns={readinessColumns}
          download={(format) => readinessFile(view, format)}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          onOpen={(row) => openClient(row)}
          menu={menu}
          around={360}
          skeletonRows={10}
          empty={list.empty({
            hint: "Active clients appear here after you add them.",
            action: <GoTo to="/home/client/details">Go to Client Details</GoTo>,
            noMatch: "No client matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} label="Pages of clients" />
      </Card>
      {openRow && <StatementDialog row={openRow} onClose={() => setOpenId(null)} />}
    </Screen>
  )
}

/** The actions for all clients. */
function Actions({ toConnect }: { toConnect: number | undefined }) {
  const { data: run } = useQuery(lastRunQuery)
  const links = useSendLinks()
  const sync = useSyncAll()
  return (
    <div className={styles.acts}>
      <Button
        icon={<Link2 size={15} />}
        isBusy={links.isPending}
        disabled={!toConnect}
        onClick={() => links.mutate(null, toastOutcome)}
      >
        {toConnect ? `Send ${count(toConnect)} connect links` : "Send connect links"}
      </Button>
      <Button
        kind="primary"
        icon={<RefreshCw size={15} />}
        isBusy={sync.isPending}
        disabled={run?.state === "RUNNING"}
        onClick={() => sync.mutate(undefined, { onError: toastOutcome.onError })}
      >
        Sync all
      </Button>
    </div>
  )
}
