import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Declarations } from "@/features/registers/declarations"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/own-trading")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("declarations", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Declarations view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
