import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { AiTools } from "@/features/registers/ai-tools"
import { plainView, registerQuery } from "@/features/registers/queries"

export const Route = createFileRoute("/home/compliance/ai-tools")({
  ...listSearch(plainView, { state: ["", "open", "closed"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, registerQuery("ai-tools", entry.deps)),
  component: RegisterRoute,
})

function RegisterRoute() {
  return <AiTools view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
