import { createFileRoute } from "@tanstack/react-router"
import { prefetch } from "@/app/prefetch"
import { listSearch, useOnView } from "@/app/list-search"
import { INVOICES_PAGE, invoicesQuery, type InvoicesView } from "@/features/fees/invoice-queries"
import { Invoices } from "@/features/fees/invoices-screen"

const plain: InvoicesView = {
  page: 1,
  limit: INVOICES_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  kind: "",
}

export const Route = createFileRoute("/home/invoices")({
  ...listSearch(plain, { kind: ["INVOICE", "CREDIT_NOTE"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, invoicesQuery(entry.deps)),
  component: InvoicesRoute,
})

function InvoicesRoute() {
  return <Invoices view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
