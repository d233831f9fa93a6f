import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { AdviceForm } from "@/features/advice/advice-form"

export const Route = createFileRoute("/home/advice")({
  beforeLoad: requireAdmin,
  component: AdviceForm,
})
