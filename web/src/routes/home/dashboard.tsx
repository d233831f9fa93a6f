import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { Dashboard } from "@/features/dashboard/dashboard"
import {
  dailyAumQuery,
  moversQuery,
  statsQuery,
  stockDistributionQuery,
  workQuery,
} from "@/features/dashboard/queries"
import { UnsentDrafts } from "@/features/dashboard/unsent-drafts"
import { UndeliveredLetters } from "@/features/dashboard/undelivered-letters"

export const Route = createFileRoute("/home/dashboard")({
  // Whether the letters are shown that could not be delivered, or the drafts that are not sent.
  ...listSearch({ undelivered: false, drafts: false }),
  loader: (entry) =>
    prefetch(entry, statsQuery, workQuery, moversQuery, stockDistributionQuery, dailyAumQuery),
  component: DashboardRoute,
})

function DashboardRoute() {
  const { undelivered, drafts } = Route.useSearch()
  const onView = useOnView(Route.useNavigate())
  return (
    <>
      <Dashboard />
      {undelivered && <UndeliveredLetters onClose={() => onView({ undelivered: false }, true)} />}
      {drafts && <UnsentDrafts onClose={() => onView({ drafts: false }, true)} />}
    </>
  )
}
