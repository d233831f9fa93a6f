import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { DriftMonitor } from "@/features/book/drift-monitor"
import { type DriftView, MODELS_PAGE } from "@/parts/models"

const plain: DriftView = {
  page: 1,
  limit: MODELS_PAGE,
  query: "",
  sort: "",
  model: "",
  outside: false,
}

export const Route = createFileRoute("/home/models/drift")({
  ...listSearch(plain),
  component: DriftRoute,
})

function DriftRoute() {
  return <DriftMonitor view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
