import { usePageTitle } from "@/ui/page-title"

export function AdvicePreview() {
  usePageTitle("Advice preview")
  return null
}
