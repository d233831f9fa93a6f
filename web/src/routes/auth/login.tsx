import { createFileRoute } from "@tanstack/react-router"
import { safeNext } from "@/app/guard"
import { LogIn } from "@/features/auth/log-in"

export const Route = createFileRoute("/auth/login")({
  validateSearch: (search): { next?: string } => {
    const next = safeNext(search.next)
    return next === undefined ? {} : { next }
  },
  component: LogIn,
})
