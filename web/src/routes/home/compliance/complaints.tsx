import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Complaints } from "@/features/registers/complaints"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/complaints")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("complaints", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Complaints view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
