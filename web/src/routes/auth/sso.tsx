import { createFileRoute } from "@tanstack/react-router"
import { SsoReturn } from "@/features/auth/sso-return"

export const Route = createFileRoute("/auth/sso")({ component: SsoReturn })
