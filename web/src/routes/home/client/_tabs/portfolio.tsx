import { createFileRoute } from "@tanstack/react-router"
import { ClientRestrictions } from "@/features/models/client-restrictions"
import { PortfolioTab } from "@/features/portfolio/portfolio-tab"

export const Route = createFileRoute("/home/client/_tabs/portfolio")({ component: Portfolio })

/** Two features meet: beside the holdings stands what may not be done with them. */
function Portfolio() {
  return <PortfolioTab restrictions={<ClientRestrictions />} />
}
