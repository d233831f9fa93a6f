import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { askAhead } from "@/app/ask-ahead"
import { listSearch, plainList } from "@/app/list-search"
import { ClientList } from "@/features/clients/client-list"
import { clientsQuery } from "@/features/clients/queries"
import { ImportDialog } from "@/features/portfolio/import-dialog"

export const Route = createFileRoute("/home/client/details")({
  validateSearch: listSearch(50),
  search: { middlewares: [stripSearchParams(plainList(50))] },
  loaderDeps: ({ search }) => search,
  loader: (entry) => askAhead(entry, clientsQuery(entry.deps)),
  component: ClientDetails,
})

/** Two features meet: the list of one opens the import of the other. */
function ClientDetails() {
  return <ClientList importDialog={ImportDialog} />
}
