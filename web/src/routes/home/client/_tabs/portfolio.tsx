import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { prefetch } from "@/app/prefetch"
import { ClientRestrictions } from "@/features/restrictions/client-restrictions"
import { PortfolioTab } from "@/features/portfolio/portfolio-tab"
import { holdingsQuery, portfolioQuery } from "@/features/portfolio/queries"

export const Route = createFileRoute("/home/client/_tabs/portfolio")({
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) prefetch(entry, portfolioQuery(clientId), holdingsQuery(clientId))
  },
  component: Portfolio,
})

/** Two features meet: the holdings and the client's restrictions. */
function Portfolio() {
  return <PortfolioTab restrictions={<ClientRestrictions />} />
}
