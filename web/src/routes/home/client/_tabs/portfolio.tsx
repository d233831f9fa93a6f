import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { askAhead } from "@/app/ask-ahead"
import { ClientRestrictions } from "@/features/restrictions/client-restrictions"
import { PortfolioTab } from "@/features/portfolio/portfolio-tab"
import { holdingsQuery, portfolioQuery } from "@/features/portfolio/queries"

export const Route = createFileRoute("/home/client/_tabs/portfolio")({
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) askAhead(entry, portfolioQuery(clientId), holdingsQuery(clientId))
  },
  component: Portfolio,
})

/** Two features meet: beside the holdings stands what may not be done with them. */
function Portfolio() {
  return <PortfolioTab restrictions={<ClientRestrictions />} />
}
