import { createFileRoute } from "@tanstack/react-router"
import { prefetch } from "@/app/prefetch"
import { Dashboard } from "@/features/dashboard/dashboard"
import { dailyAumQuery, statsQuery, stockDistributionQuery } from "@/features/dashboard/queries"

export const Route = createFileRoute("/home/dashboard")({
  loader: (entry) => prefetch(entry, statsQuery, stockDistributionQuery, dailyAumQuery),
  component: Dashboard,
})
