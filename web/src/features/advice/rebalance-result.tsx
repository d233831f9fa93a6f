import { usePageTitle } from "@/ui/page-title"

export function RebalanceResult() {
  usePageTitle("Rebalance")
  return null
}
