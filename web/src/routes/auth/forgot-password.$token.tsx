import { createFileRoute } from "@tanstack/react-router"
import { ResetByToken } from "@/features/auth/new-password"

export const Route = createFileRoute("/auth/forgot-password/$token")({ component: ResetByLink })

function ResetByLink() {
  const { token } = Route.useParams()
  return <ResetByToken token={token} />
}
