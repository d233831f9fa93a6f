import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { IndianRupee, UserMinus, UserPlus, UserRound } from "lucide-react"
import { useCallback, useState } from "react"
import { messageOf } from "@/api/client"
import { chooseClient } from "@/api/session"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import type { Model } from "@/parts/models"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { StatusPill } from "@/ui/status-pill"
import { type Column, type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { AddSubscribers } from "./add-subscribers"
import { FollowedValue } from "./followed-value"
import {
  subscribersFile,
  subscribersQuery,
  type SubscribersView,
  useChangeSubscribers,
} from "./queries"
import type { Subscriber } from "./types"

interface ModelSubscribersProps {
  model: Model
  view: SubscribersView
  onView: (change: Partial<SubscribersView>) => void
}

const columns: Column<Subscriber>[] = [
  { title: "Client ID", cell: (row) => row.clientId, card: "note" },
  { title: "Client Name", cell: (row) => <strong>{row.name}</strong>, card: "title" },
  {
    title: "Portfolio Value",
    cell: (row) => rupees(row.portfolioValue),
    align: "right",
    card: "main",
  },
  {
    title: "Follows With",
    cell: (row) =>
      row.investmentValue === null ? (
        <span className="quiet">All holdings and cash</span>
      ) : (
        rupees(row.investmentValue)
      ),
    align: "right",
    card: "aside",
  },
  { title: "Since", cell: (row) => date(row.subscribedAt), card: "rest" },
  { title: "Status", cell: (row) => <StatusPill word={row.status} />, card: "rest" },
]

/** The clients that follow the model, and with which value. */
export function ModelSubscribers({ model, view, onView }: ModelSubscribersProps) {
  useAmountsHidden()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const [dialog, setDialog] = useState<"add" | Subscriber | null>(null)
  const { page, limit, query } = view
  const subscribers = useQuery({
    ...subscribersQuery(model._id, { page, limit, query }),
    placeholderData: keepPreviousData,
  })
  const goToPage = useCallback((next: number) => onView({ page: next }), [onView])
  const last = useLastPage(subscribers, page, goToPage)
  const change = useChangeSubscribers(model._id)

  const open = (row: Subscriber) => {
    chooseClient(row._id, row.clientId)
    void navigate({ to: "/home/client/portfolio" })
  }
  const remove = async (row: Subscriber) => {
    const isSure = await confirm({
      title: `Remove ${row.name} from ${model.name}?`,
      text: "The client's holdings and past advice do not change.",
      act: "Remove",
    })
    if (!isSure) return
    change.mutate(
      { remove: [row._id] },
      {
        onSuccess: () => toast.success(`${row.name} no longer follows ${model.name}`),
        onError: (error) => toast.error(messageOf(error, "Something went wrong")),
      },
    )
  }
  const menu = (row: Subscriber): MenuEntry[] => [
    {
      label: "Open client",
      icon: <UserRound size={15} aria-hidden="true" />,
      onSelect: () => open(row),
    },
    {
      label: "Change the value followed",
      icon: <IndianRupee size={15} aria-hidden="true" />,
      onSelect: () => setDialog(row),
    },
    {
      label: "Remove",
      icon: <UserMinus size={15} aria-hidden="true" />,
      onSelect: () => void remove(row),
    },
  ]
  const add = () => setDialog("add")
  const isFiltered = query !== ""
  return (
    <Card flush>
      <Toolbar>
        <SearchField
          label="Search by name or client ID"
          value={query}
          isSearching={subscribers.isPlaceholderData}
          width={isPhone ? "100%" : 280}
          onSearch={(text) => onView({ query: text, page: 1 })}
        />
        {isAdmin && (
          <Button icon={<UserPlus size={15} aria-hidden="true" />} onClick={add}>
            Add subscribers
          </Button>
        )}
      </Toolbar>
      <Table
        label="Subscribers"
        name="subscribers"
        columns={columns}
        download={(format) => subscribersFile(model._id, query, format)}
        rows={subscribers.data?.data}
        rowKey={(row) => row._id}
        rowName={(row) => row.name}
        state={steadyState(subscribers)}
        onOpen={open}
        menu={isAdmin ? menu : undefined}
        skeletonRows={6}
        empty={{
          title: "No Data Available",
          hint: isFiltered ? "No subscriber matches." : "Nobody follows this model yet.",
          action: isFiltered ? (
            <Button onClick={() => onView({ query: "", page: 1 })}>Clear search</Button>
          ) : isAdmin ? (
            <Button onClick={add}>Add subscribers</Button>
          ) : undefined,
        }}
      />
      <Pagination
        page={Math.min(page, last)}
        limit={limit}
        total={subscribers.data?.pagination.totalUsers ?? 0}
        sizes={[20, 50, 100]}
        onPage={goToPage}
        onLimit={(next) => onView({ limit: next, page: 1 })}
        label="Pages of subscribers"
      />
      {dialog === "add" && <AddSubscribers model={model} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <FollowedValue model={model} subscriber={dialog} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}
