import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { NewModel } from "@/features/models/model-editor"

export const Route = createFileRoute("/home/models/new")({
  beforeLoad: requireAdmin,
  component: NewModel,
})
