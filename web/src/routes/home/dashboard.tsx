import { createFileRoute } from "@tanstack/react-router"
import { askAhead } from "@/app/ask-ahead"
import { Dashboard } from "@/features/dashboard/dashboard"
import { dailyAumQuery, statsQuery, stockDistributionQuery } from "@/features/dashboard/queries"

export const Route = createFileRoute("/home/dashboard")({
  loader: (entry) => askAhead(entry, statsQuery, stockDistributionQuery, dailyAumQuery),
  component: Dashboard,
})
