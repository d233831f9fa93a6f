import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { ClientList } from "@/features/clients/client-list"
import { CLIENTS_PAGE, clientsQuery, type ClientsView } from "@/features/clients/queries"
import { ImportDialog } from "@/features/portfolio/import-dialog"

const plain: ClientsView = { page: 1, limit: CLIENTS_PAGE, query: "", sort: "", team: "" }

export const Route = createFileRoute("/home/client/details")({
  ...listSearch(plain),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, clientsQuery(entry.deps)),
  component: ClientDetails,
})

/** Two features meet: the list of one opens the import of the other. */
function ClientDetails() {
  return (
    <ClientList
      view={Route.useSearch()}
      onView={useOnView(Route.useNavigate())}
      importDialog={ImportDialog}
    />
  )
}
