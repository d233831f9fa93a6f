import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { AdvicePreview } from "@/features/advice/advice-preview"

export const Route = createFileRoute("/home/advice-preview")({
  beforeLoad: requireAdmin,
  component: AdvicePreview,
})
