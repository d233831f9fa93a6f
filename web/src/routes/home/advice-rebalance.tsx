import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { RebalanceResult } from "@/features/advice/rebalance-result"

export const Route = createFileRoute("/home/advice-rebalance")({
  beforeLoad: requireAdmin,
  component: RebalanceResult,
})
