import { createFileRoute, redirect } from "@tanstack/react-router"
import { session } from "@/api/session"
import { ResetPassword } from "@/features/auth/new-password"

export const Route = createFileRoute("/auth/reset-password")({
  beforeLoad: () => {
    if (session.get("token") === null) throw redirect({ to: "/auth/login", replace: true })
  },
  component: ResetPassword,
})
