import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { ObligationsScreen } from "@/features/obligations/obligations-screen"

export const Route = createFileRoute("/home/compliance/")({
  beforeLoad: requireAdmin,
  component: ObligationsScreen,
})
