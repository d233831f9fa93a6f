import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { ArrowUpDown, Check, Columns3, Ellipsis, FileUp, Plus, Send, UserRound } from "lucide-react"
import { type ComponentType, useState } from "react"
import { chooseClient } from "@/api/session"
import { useSession } from "@/api/use-session"
import { recall, remember } from "@/lib/remember"
import { Button, IconButton } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { ButtonMenu } from "@/ui/menu"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/pagination"
import { SearchField } from "@/ui/search-field"
import { type MenuEntry, steadyState, Table } from "@/ui/table"
import { useIsPhone } from "@/ui/use-media"
import { useSteadyOrder } from "@/ui/use-steady-order"
import { cardColumns, clientOrders, columnSetFrom, columnSets, columnsOf } from "./client-columns"
import { NewClients } from "./new-clients"
import { type ClientRow, clientsQuery } from "./queries"

const route = getRouteApi("/home/client/details")
const idOf = (client: ClientRow) => client._id
const chosen = <Check size={15} aria-hidden="true" />

interface ClientListProps {
  /** The dialog that imports a firm-wide file of holdings; another feature's. */
  importDialog: ComponentType<{ onClose: () => void }>
}

export function ClientList({ importDialog: ImportDialog }: ClientListProps) {
  usePageTitle("Client Details")
  const search = route.useSearch()
  const go = route.useNavigate()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const [set, setSet] = useState(() => columnSetFrom(recall("client-columns")))
  const [dialog, setDialog] = useState<"add" | "import" | null>(null)
  const clients = useQuery({ ...clientsQuery(search), placeholderData: keepPreviousData })
  const rows = useSteadyOrder(
    clients.data?.data,
    idOf,
    clients.isPlaceholderData ? null : JSON.stringify(search),
  )

  const open = (client: ClientRow) => {
    chooseClient(client._id, client.clientId)
    void navigate({ to: "/home/client/profile" })
  }
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
  ]
  const sortBy = (sort: string) => void go({ search: (old) => ({ ...old, sort, page: 1 }) })
  const add = () => setDialog("add")
  return (
    <Screen>
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
            width={isPhone ? "calc(100% - 96px)" : 280}
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
          ) : (
            <ButtonMenu
              label="Columns"
              button={
                <Button icon={<Columns3 size={15} aria-hidden="true" />} aria-haspopup="menu">
                  Columns
                </Button>
              }
              entries={columnSets.map((name) => ({
                label: name,
                icon: name === set && chosen,
                onSelect: () => {
                  remember("client-columns", name)
                  setSet(name)
                },
              }))}
            />
          )}
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
            entries={[
              {
                label: "Import holdings",
                icon: <FileUp size={15} aria-hidden="true" />,
                onSelect: () => setDialog("import"),
              },
            ]}
          />
        </Toolbar>
        <Table
          label="Clients"
          columns={isPhone ? cardColumns : columnsOf(set)}
          rows={rows}
          rowKey={idOf}
          rowName={(client) => client.name}
          state={steadyState(clients)}
          sort={search.sort}
          onSort={sortBy}
          onOpen={open}
          menu={menu}
          maxHeight="max(450px, calc(100dvh - 216px))"
          skeletonRows={12}
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
                      onClick={() => void go({ search: (old) => ({ ...old, query: "", page: 1 }) })}
                    >
                      Clear search
                    </Button>
                  ),
                }
          }
        />
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
      {dialog === "import" && <ImportDialog onClose={() => setDialog(null)} />}
    </Screen>
  )
}
