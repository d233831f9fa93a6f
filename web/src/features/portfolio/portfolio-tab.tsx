import { usePageTitle } from "@/ui/page-title"

export function PortfolioTab() {
  usePageTitle("Portfolio")
  return null
}
