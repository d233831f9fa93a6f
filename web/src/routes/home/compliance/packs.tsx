import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { PacksScreen } from "@/features/inspection/packs-screen"
import { packsQuery, type PacksView } from "@/features/inspection/queries"

const plain: PacksView = { page: 1, limit: 20 }

export const Route = createFileRoute("/home/compliance/packs")({
  ...listSearch(plain),
  beforeLoad: requireAdmin,
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, packsQuery(entry.deps)),
  component: PacksRoute,
})

function PacksRoute() {
  return <PacksScreen view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
