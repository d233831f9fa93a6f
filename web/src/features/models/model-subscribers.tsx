import { IndianRupee, UserMinus, UserPlus, UserRound } from "lucide-react"
import { useState } from "react"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import type { Model } from "@/parts/models"
import { toastError } from "@/parts/toast-error"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { StatusPill } from "@/ui/status-pill"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { AddSubscribers } from "./add-subscribers"
import { FollowedValue } from "./followed-value"
import {
  subscribersFile,
  subscribersQuery,
  type SubscribersView,
  useChangeSubscribers,
} from "./queries"
import type { Subscriber } from "./types"

interface ModelSubscribersProps extends ListProps<SubscribersView> {
  model: Model
}

const noFilter = { query: "" }

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
  { title: "Since", cell: (row) => date(row.subscribedAt) },
  { title: "Status", cell: (row) => <StatusPill word={row.status} /> },
]

/** The clients that follow the model, and with which value. */
export function ModelSubscribers({ model, view, onView }: ModelSubscribersProps) {
  useAmountsHidden()
  const openClient = useOpenClient()
  const isAdmin = useSession("role") === "ADMIN"
  const [dialog, setDialog] = useState<"add" | Subscriber | null>(null)
  const { page, limit, query } = view
  const list = useListScreen({
    view,
    onView,
    query: subscribersQuery(model._id, { page, limit, query }),
    noFilter,
  })
  const change = useChangeSubscribers(model._id)

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
        onError: toastError,
      },
    )
  }
  const menu = (row: Subscriber): MenuEntry[] => [
    { label: "Open client", icon: <UserRound size={15} />, onSelect: () => openClient(row) },
    {
      label: "Change the value followed",
      icon: <IndianRupee size={15} />,
      onSelect: () => setDialog(row),
    },
    { label: "Remove", icon: <UserMinus size={15} />, onSelect: () => void remove(row) },
  ]
  const add = () => setDialog("add")
  return (
    <Card flush>
      <Toolbar>
        <SearchField label="Search by name or client ID" {...list.search} />
        {isAdmin && (
          <Button icon={<UserPlus size={15} />} onClick={add}>
            Add subscribers
          </Button>
        )}
      </Toolbar>
      <Table
        {...list.table}
        label="Subscribers"
        name="subscribers"
        columns={columns}
        download={(format) => subscribersFile(model._id, query, format)}
        rowKey={(row) => row._id}
        rowName={(row) => row.name}
        onOpen={(row) => openClient(row)}
        menu={isAdmin ? menu : undefined}
        skeletonRows={6}
        empty={list.empty({
          hint: "Nobody follows this model yet.",
          action: isAdmin ? <Button onClick={add}>Add subscribers</Button> : undefined,
          noMatch: "No subscriber matches.",
          clearLabel: "Clear search",
        })}
      />
      <Pagination {...list.pages} sizes={[20, 50, 100]} label="Pages of subscribers" />
      {dialog === "add" && <AddSubscribers model={model} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <FollowedValue model={model} subscriber={dialog} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}
