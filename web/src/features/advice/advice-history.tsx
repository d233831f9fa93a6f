import { usePageTitle } from "@/ui/page-title"

export function AdviceHistory() {
  usePageTitle("Advice History")
  return null
}
