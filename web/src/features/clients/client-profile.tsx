import { usePageTitle } from "@/ui/page-title"

export function ClientProfile() {
  usePageTitle("Profile")
  return null
}
