import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Certificates } from "@/features/registers/certificates"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/certificates")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("certificates", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <Certificates view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
