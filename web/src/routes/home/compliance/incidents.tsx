import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Incidents } from "@/features/registers/incidents"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/incidents")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("incidents", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Incidents view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
