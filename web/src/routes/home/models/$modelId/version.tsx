import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { NewVersion } from "@/features/models/model-editor"

export const Route = createFileRoute("/home/models/$modelId/version")({
  beforeLoad: requireAdmin,
  component: NewVersionRoute,
})

function NewVersionRoute() {
  return <NewVersion modelId={Route.useParams().modelId} />
}
