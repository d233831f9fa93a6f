import { createFileRoute, Outlet } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { RegisterNav } from "@/features/registers/register-nav"
import { Screen } from "@/ui/card"

export const Route = createFileRoute("/home/compliance")({
  beforeLoad: requireAdmin,
  component: ComplianceRoute,
})

function ComplianceRoute() {
  return (
    <Screen>
      <RegisterNav />
      <Outlet />
    </Screen>
  )
}
