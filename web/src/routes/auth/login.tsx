import { createFileRoute } from "@tanstack/react-router"
import { nextOf } from "@/app/guard"
import { LogIn } from "@/features/auth/log-in"

export const Route = createFileRoute("/auth/login")({
  validateSearch: nextOf,
  component: LogIn,
})
