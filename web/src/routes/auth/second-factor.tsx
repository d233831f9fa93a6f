import { createFileRoute, redirect } from "@tanstack/react-router"
import { session } from "@/api/session"
import { nextOf } from "@/app/guard"
import { SecondFactorDue } from "@/app/second-factor-due"

export const Route = createFileRoute("/auth/second-factor")({
  validateSearch: nextOf,
  beforeLoad: () => {
    if (session.get("token") === null) throw redirect({ to: "/auth/login", replace: true })
  },
  component: SecondFactorDue,
})
