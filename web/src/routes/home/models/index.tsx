import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { ModelList } from "@/features/models/model-list"
import { MODELS_PAGE, type ModelsView } from "@/parts/models"

const plain: ModelsView = { page: 1, limit: MODELS_PAGE, query: "", status: "" }

export const Route = createFileRoute("/home/models/")({
  ...listSearch(plain, { status: ["ACTIVE", "RETIRED"] }),
  component: ModelsRoute,
})

function ModelsRoute() {
  return <ModelList view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
