import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { ModelPage, type ModelView } from "@/features/models/model-page"
import { MODELS_PAGE } from "@/parts/models"

const plain: ModelView = {
  page: 1,
  limit: MODELS_PAGE,
  query: "",
  tab: "version",
  number: 0,
  against: 0,
}

export const Route = createFileRoute("/home/models/$modelId/")({
  ...listSearch(plain, { tab: ["version", "record", "subscribers", "history"] }),
  component: ModelRoute,
})

function ModelRoute() {
  const { modelId } = Route.useParams()
  const onView = useOnView(Route.useNavigate())
  return <ModelPage modelId={modelId} view={Route.useSearch()} onView={onView} />
}
