import { usePageTitle } from "@/ui/page-title"

export function AdviceForm() {
  usePageTitle("Advice")
  return null
}
