import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { ArrowUpDown, Check, Ellipsis, FileUp, Mail, Plus, Send, UserRound } from "lucide-react"
import { type ComponentType, useCallback, useState } from "react"
import { isFailure } from "@/api/client"
import { chooseClient } from "@/api/session"
import { useSession } from "@/api/use-session"
import { Button, IconButton } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { ButtonMenu } from "@/ui/overlay/menu"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { useFailureToast } from "@/ui/overlay/use-failure-toast"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { useSteadyOrder } from "@/ui/table/use-steady-order"
import { cardColumns, clientColumns, clientOrders, columnSets } from "./client-columns"
import { PeekArea } from "./client-peek"
import { IdsToConfirm } from "./ids-to-confirm"
import { NewClients } from "./new-clients"
import { useConnectLink } from "./connection-queries"
import { type ClientRow, clientsFile, clientsQuery } from "./queries"
import { sendConnectLink } from "./send-connect-link"

const route = getRouteApi("/home/client/details")
const idOf = (client: ClientRow) => client._id
const chosen = <Check size={15} aria-hidden="true" />

/** What comes in by a firm-wide file, in the order of the menu. */
const imports = {
  clients: "Import clients",
  holdings: "Import holdings",
  funds: "Import funds",
  prices: "Import closing prices",
}

type ImportKind = keyof typeof imports

interface ClientListProps {
  /** The dialog that imports a firm-wide file; another feature's. */
  importDialog: ComponentType<{ kind: ImportKind; onClose: () => void }>
}

export function ClientList({ importDialog: ImportDialog }: ClientListProps) {
  usePageTitle("Client Details")
  const search = route.useSearch()
  const go = route.useNavigate()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const [dialog, setDialog] = useState<"add" | ImportKind | null>(null)
  const clients = useQuery({ ...clientsQuery(search), placeholderData: keepPreviousData })
  useFailureToast(isFailure(clients.error) ? "Failed to fetch data" : null, clients.dataUpdatedAt)
  const rows = useSteadyOrder(
    clients.data?.data,
    idOf,
    clients.isPlaceholderData ? null : JSON.stringify(search),
  )

  const turnBack = useCallback(
    (page: number) => void go({ search: (old) => ({ ...old, page }), replace: true }),
    [go],
  )
  useLastPage(clients, search.page, turnBack)

  const open = (client: ClientRow) => {
    chooseClient(client._id, client.clientId)
    void navigate({ to: "/home/client/profile" })
  }
  const link = useConnectLink()
  const menu = (client: ClientRow): MenuEntry[] => [
    {
      label: "View Detail",
      icon: <UserRound size={15} aria-hidden="true" />,
      onSelect: () => open(client),
    },
    ...(isAdmin
      ? [
          {
            label: "Send Advice",
            icon: <Send size={15} aria-hidden="true" />,
            onSelect: () =>
              void navigate({ to: "/home/advice", state: { username: client.clientId } }),
          },
        ]
      : []),
    ...(client.isConnected || client.status !== "ACTIVE"
      ? []
      : [
          {
            label: "Send connect link",
            icon: <Mail size={15} aria-hidden="true" />,
            onSelect: () =>
              void sendConnectLink(client.name, () =>
                link.mutateAsync({ clientId: client._id, send: true }),
              ),
          },
        ]),
  ]
  const sortBy = (sort: string) => void go({ search: (old) => ({ ...old, sort, page: 1 }) })
  const add = () => setDialog("add")
  return (
    <Screen>
      <IdsToConfirm />
      <Card flush>
        <Toolbar
          action={
            <Button
              kind="primary"
              icon={<Plus size={15} aria-hidden="true" />}
              data-add
              onClick={add}
            >
              Add New Client
            </Button>
          }
        >
          <SearchField
            label="Search by name or client ID"
            value={search.query}
            isSearching={clients.isPlaceholderData}
            width={isPhone ? "calc(100% - 144px)" : 280}
            onSearch={(query) =>
              void go({ search: (old) => ({ ...old, query, page: 1 }), replace: true })
            }
          />
          {isPhone ? (
            <ButtonMenu
              label="Order of the clients"
              button={
                <IconButton
                  framed
                  label="Sort"
                  icon={<ArrowUpDown size={16} aria-hidden="true" />}
                  aria-haspopup="menu"
                />
              }
              entries={clientOrders.map(({ label, sort }) => ({
                label,
                icon: sort === search.sort && chosen,
                onSelect: () => sortBy(sort),
              }))}
            />
          ) : null}
          <ButtonMenu
            label="More for all clients"
            button={
              <IconButton
                framed
                label="More"
                icon={<Ellipsis size={16} aria-hidden="true" />}
                aria-haspopup="menu"
              />
            }
            entries={(Object.keys(imports) as ImportKind[]).map((kind) => ({
              label: imports[kind],
              icon: <FileUp size={15} aria-hidden="true" />,
              onSelect: () => setDialog(kind),
            }))}
          />
        </Toolbar>
        <PeekArea clients={rows ?? []}>
          <Table
            label="Clients"
            name="clients"
            columns={isPhone ? cardColumns : clientColumns}
            columnSets={columnSets}
            download={(format) => clientsFile(search, format)}
            rows={rows}
            rowKey={idOf}
            rowName={(client) => client.name}
            state={steadyState(clients)}
            sort={search.sort}
            onSort={sortBy}
            onOpen={open}
            menu={menu}
            around={216}
            skeletonRows={12}
            loadingText="Fetching Data..."
            empty={
              search.query === ""
                ? {
                    title: "No Data Available",
                    hint: "Clients that you add stand here.",
                    action: <Button onClick={add}>Add New Client</Button>,
                  }
                : {
                    title: "No Data Available",
                    hint: `No client matches “${search.query}”.`,
                    action: (
                      <Button
                        onClick={() =>
                          void go({ search: (old) => ({ ...old, query: "", page: 1 }) })
                        }
                      >
                        Clear search
                      </Button>
                    ),
                  }
            }
          />
        </PeekArea>
        <Pagination
          page={search.page}
          limit={search.limit}
          total={clients.data?.pagination.totalUsers ?? 0}
          sizes={[10, 20, 50, 100]}
          onPage={(page) => void go({ search: (old) => ({ ...old, page }) })}
          onLimit={(limit) => void go({ search: (old) => ({ ...old, limit, page: 1 }) })}
        />
      </Card>
      {dialog === "add" && <NewClients onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <ImportDialog kind={dialog} onClose={() => setDialog(null)} />
      )}
    </Screen>
  )
}
