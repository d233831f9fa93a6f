import { createFileRoute, redirect } from "@tanstack/react-router"
import { session } from "@/api/session"
import { nextOf, safeNext } from "@/app/guard"
import { SsoReturn } from "@/features/auth/sso-return"

export const Route = createFileRoute("/auth/sso")({
  validateSearch: nextOf,
  beforeLoad: () => {
    const next = safeNext(session.get("next"))
    session.remove("next")
    if (next !== undefined) throw redirect({ to: "/auth/sso", search: { next }, replace: true })
  },
  component: SsoReturn,
})
