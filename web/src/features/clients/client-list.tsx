import { usePageTitle } from "@/ui/page-title"

export function ClientList() {
  usePageTitle("Client Details")
  return null
}
