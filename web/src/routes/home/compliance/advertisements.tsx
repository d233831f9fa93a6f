import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Advertisements } from "@/features/registers/advertisements"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/advertisements")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("advertisements", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Advertisements view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
