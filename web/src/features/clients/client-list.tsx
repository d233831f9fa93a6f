import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { ArrowUpDown, Check, Ellipsis, FileUp, Mail, Plus, Send, UserRound } from "lucide-react"
import { type ComponentType, useCallback, useMemo, useState } from "react"
import { isFailure } from "@/api/client"
import { useSession } from "@/api/use-session"
import { useOpenClient } from "@/parts/use-open-client"
import { Button, IconButton } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { ButtonMenu } from "@/ui/overlay/menu"
import { useFailureToast } from "@/ui/overlay/use-failure-toast"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { useSteadyOrder } from "@/ui/table/use-steady-order"
import { useIsPhone } from "@/ui/use-media"
import { ChoiceBar, choiceColumn, useChosen } from "./client-choice"
import { cardColumns, clientColumns, clientOrders, columnSets } from "./client-columns"
import { PeekArea } from "./client-peek"
import { LoadSampleClient } from "@/parts/sample-client"
import { useConnectLink } from "./connection-queries"
import { followedColumns, totalsOf } from "./followed-columns"
import { IdsToConfirm } from "./ids-to-confirm"
import { NewClients } from "./new-clients"
import {
  type ClientRow,
  clientsFile,
  clientsQuery,
  type ClientsView,
  followedQuery,
  totalsQuery,
} from "./queries"
import { sendConnectLink } from "./send-connect-link"
import { TeamFilter } from "./team-filter"

const noFilter = { query: "", team: "" }
const idOf = (client: ClientRow) => client._id
const nameOf = (client: ClientRow) => client.name

/** The files that hold data of the whole firm, in the order of the menu. */
const imports = {
  clients: "Import clients",
  holdings: "Import holdings",
  funds: "Import funds",
  prices: "Import closing prices",
}

type ImportKind = keyof typeof imports

interface ClientListProps extends ListProps<ClientsView> {
  /** The dialog that imports such a file; another feature's. */
  importDialog: ComponentType<{ kind: ImportKind; onClose: () => void }>
}

export function ClientList({ view, onView, importDialog: ImportDialog }: ClientListProps) {
  usePageTitle("Client Details")
  const isPhone = useIsPhone()
  const [dialog, setDialog] = useState<"add" | ImportKind | null>(null)
  const list = useListScreen({ view, onView, query: clientsQuery(view), noFilter })
  const { result } = list
  useFailureToast(isFailure(result.error) ? "Failed to fetch data" : null, result.dataUpdatedAt)
  const rows = useSteadyOrder(
    list.table.rows,
    idOf,
    result.isPlaceholderData ? null : JSON.stringify(view),
  )
  const { open, menu } = useClientMenu()
  const choice = useChosen()
  const { data: followed } = useQuery(followedQuery((rows ?? []).map(idOf).sort()))
  const { data: sums } = useQuery(totalsQuery(view.query, view.team))
  const { chosen, choose } = choice
  // The same columns until one of them changes: then rows are drawn once for a page.
  const columns = useMemo(
    () => [
      ...(isPhone ? cardColumns : [choiceColumn({ chosen, choose }), ...clientColumns]),
      ...followedColumns(followed),
    ],
    [isPhone, chosen, choose, followed],
  )
  const add = () => setDialog("add")
  const search = (
    <>
      <SearchField
        {...list.search}
        label="Search by name or client ID"
        width={isPhone ? "calc(100% - 144px)" : undefined}
      />
      <TeamFilter team={view.team} onTeam={(team) => onView({ ...view, team, page: 1 })} />
    </>
  )
  return (
    <Screen>
      <IdsToConfirm />
      <Card flush>
        {chosen.size > 0 ? (
          <ChoiceBar {...choice} rows={rows ?? []} view={view}>
            {search}
          </ChoiceBar>
        ) : (
          <Toolbar
            action={
              <Button kind="primary" icon={<Plus size={15} />} data-add onClick={add}>
                Add New Client
              </Button>
            }
          >
            {search}
            {isPhone && <SortMenu sort={view.sort} onSort={list.table.onSort} />}
            <ImportMenu onImport={setDialog} />
          </Toolbar>
        )}
        <PeekArea clients={rows ?? []}>
          <Table
            {...list.table}
            label="Clients"
            name="clients"
            isDense
            columns={columns}
            totals={isPhone ? undefined : totalsOf(sums)}
            columnSets={columnSets}
            download={(format) => clientsFile(view, format)}
            rows={rows}
            rowKey={idOf}
            rowName={nameOf}
            onOpen={open}
            menu={menu}
            around={216}
            skeletonRows={12}
            loadingText="Fetching Data..."
            empty={list.empty({
              hint: "Clients you add appear here.",
              action: (
                <>
                  <Button onClick={add}>Add New Client</Button>
                  <LoadSampleClient />
                </>
              ),
              noMatch:
                view.query === ""
                  ? "No client of this team."
                  : `No client matches “${view.query}”.`,
              clearLabel: view.team === "" ? "Clear search" : "Show all clients",
            })}
          />
        </PeekArea>
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} />
      </Card>
      {dialog === "add" && <NewClients onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <ImportDialog kind={dialog} onClose={() => setDialog(null)} />
      )}
    </Screen>
  )
}

/** What a row of the list opens, and the entries of its menu. */
function useClientMenu() {
  const navigate = useNavigate()
  const isAdmin = useSession("role") === "ADMIN"
  const link = useConnectLink()
  const openClient = useOpenClient()
  const open = useCallback(
    (client: ClientRow) => openClient(client, "/home/client/profile"),
    [openClient],
  )
  const menu = (client: ClientRow): MenuEntry[] => {
    const entries: MenuEntry[] = [
      { label: "View Detail", icon: <UserRound size={15} />, onSelect: () => open(client) },
    ]
    if (isAdmin) {
      entries.push({
        label: "Send Advice",
        icon: <Send size={15} />,
        onSelect: () => void navigate({ to: "/home/advice", state: { username: client.clientId } }),
      })
    }
    if (!client.isConnected && client.status === "ACTIVE") {
      const send = () => link.mutateAsync({ clientId: client._id, send: true })
      entries.push({
        label: "Send connect link",
        icon: <Mail size={15} />,
        onSelect: () => void sendConnectLink(client.name, send),
      })
    }
    return entries
  }
  return { open, menu }
}

/** The order of the cards on a phone, which have no heads to click. */
function SortMenu({ sort, onSort }: { sort: string; onSort: (sort: string) => void }) {
  return (
    <ButtonMenu
      label="Order of the clients"
      button={
        <IconButton framed label="Sort" icon={<ArrowUpDown size={16} />} aria-haspopup="menu" />
      }
      entries={clientOrders.map((order) => ({
        label: order.label,
        icon: order.sort === sort && <Check size={15} />,
        onSelect: () => onSort(order.sort),
      }))}
    />
  )
}

function ImportMenu({ onImport }: { onImport: (kind: ImportKind) => void }) {
  return (
    <ButtonMenu
      label="More for all clients"
      button={<IconButton framed label="More" icon={<Ellipsis size={16} />} aria-haspopup="menu" />}
      entries={(Object.keys(imports) as ImportKind[]).map((kind) => ({
        label: imports[kind],
        icon: <FileUp size={15} />,
        onSelect: () => onImport(kind),
      }))}
    />
  )
}
