import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Link2, RefreshCw, Search } from "lucide-react"
import { useCallback, useState } from "react"
import { messageOf } from "@/api/client"
import { chooseClient } from "@/api/session"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { ErrorNote } from "@/ui/states"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { useLastPage } from "@/ui/table/use-last-page"
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
  useSyncClient,
} from "./queries"
import { readinessColumns } from "./readiness-columns"
import styles from "./readiness.module.css"
import { RunLine } from "./run-line"
import { StatementDialog } from "./statement-dialog"

interface ReadinessProps {
  view: ReadinessView
  onView: (change: Partial<ReadinessView>) => void
}

const toastOutcome = {
  onSuccess: (message: string) => toast.success(message),
  onError: (error: unknown) => toast.error(messageOf(error, "Something went wrong")),
}

/** Which clients can be advised now, the problems of the others, and the actions that fix them. */
export function Readiness({ view, onView }: ReadinessProps) {
  usePageTitle("Readiness")
  useAmountsHidden()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const [openId, setOpenId] = useState<string | null>(null)
  const clients = useQuery({ ...readinessQuery(view), placeholderData: keepPreviousData })
  const goToPage = useCallback((page: number) => onView({ page }), [onView])
  const last = useLastPage(clients, view.page, goToPage)
  const links = useSendLinks()
  const sync = useSyncClient()

  const rows = clients.data?.data
  const openRow = rows?.find((row) => row._id === openId)
  const open = (row: ReadinessRow) => {
    chooseClient(row._id, row.clientId)
    void navigate({ to: "/home/client/portfolio" })
  }
  const menu = (row: ReadinessRow): MenuEntry[] => [
    {
      label: "Broker statement",
      icon: <Search size={15} aria-hidden="true" />,
      onSelect: () => setOpenId(row._id),
    },
    {
      label: "Sync now",
      icon: <RefreshCw size={15} aria-hidden="true" />,
      disabled: row.session === "NONE" || row.session === "UNCONFIRMED",
      onSelect: () => sync.mutate({ id: row._id }, toastOutcome),
    },
    {
      label: "Send connect link",
      icon: <Link2 size={15} aria-hidden="true" />,
      disabled: row.session !== "NONE",
      onSelect: () => links.mutate([row._id], toastOutcome),
    },
  ]
  return (
    <Screen>
      {clients.data?.alarms.map((alarm) => (
        <ErrorNote key={alarm} message={alarm} />
      ))}
      <ProblemFilter
        counts={clients.data?.counts}
        shown={view.show}
        onShow={(show) => onView({ show, page: 1 })}
      />
      <RunLine />
      <Card flush>
        <Toolbar action={<Actions toConnect={clients.data?.toConnect} />}>
          <SearchField
            label="Search by name or client ID"
            value={view.query}
            isSearching={clients.isPlaceholderData}
            width={isPhone ? "calc(100% - 44px)" : 280}
            onSearch={(query) => onView({ query, page: 1 })}
          />
        </Toolbar>
        <Table
          label="Readiness"
          name="readiness"
          columns={readinessColumns}
          download={(format) => readinessFile(view, format)}
          rows={rows}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          state={steadyState(clients)}
          onOpen={open}
          menu={menu}
          around={360}
          skeletonRows={10}
          empty={emptyOf(view, () => onView({ query: "", show: "", page: 1 }))}
        />
        <Pagination
          page={Math.min(view.page, last)}
          limit={view.limit}
          total={clients.data?.pagination.totalUsers ?? 0}
          sizes={[10, 20, 50, 100]}
          onPage={goToPage}
          onLimit={(limit) => onView({ limit, page: 1 })}
          label="Pages of clients"
        />
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
        icon={<Link2 size={15} aria-hidden="true" />}
        isBusy={links.isPending}
        disabled={!toConnect}
        onClick={() => links.mutate(null, toastOutcome)}
      >
        {toConnect ? `Send ${count(toConnect)} connect links` : "Send connect links"}
      </Button>
      <Button
        kind="primary"
        icon={<RefreshCw size={15} aria-hidden="true" />}
        isBusy={sync.isPending}
        disabled={run?.state === "RUNNING"}
        onClick={() => sync.mutate(undefined, { onError: toastOutcome.onError })}
      >
        Sync all
      </Button>
    </div>
  )
}

function emptyOf(view: ReadinessView, onClear: () => void) {
  if (view.query === "" && view.show === "") {
    return { title: "No Data Available", hint: "Active clients appear here after you add them." }
  }
  return {
    title: "No Data Available",
    hint: "No client matches.",
    action: <Button onClick={onClear}>Clear filters</Button>,
  }
}
