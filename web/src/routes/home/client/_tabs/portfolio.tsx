import { createFileRoute } from "@tanstack/react-router"
import { PortfolioTab } from "@/features/portfolio/portfolio-tab"

export const Route = createFileRoute("/home/client/_tabs/portfolio")({ component: PortfolioTab })
