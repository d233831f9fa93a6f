import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Handles } from "@/features/registers/handles"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/handles")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("handles", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Handles view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
