import { createFileRoute, redirect } from "@tanstack/react-router"
import { ResetByToken } from "@/features/auth/new-password"

export const Route = createFileRoute("/new-password")({
  beforeLoad: ({ location }) => {
    const { resetToken } = location.state
    if (resetToken === undefined) throw redirect({ to: "/auth/forgot-password", replace: true })
    return { resetToken }
  },
  component: ResetByCode,
})

function ResetByCode() {
  const { resetToken } = Route.useRouteContext()
  return <ResetByToken token={resetToken} />
}
