import { createFileRoute } from "@tanstack/react-router"
import { OneTimeCode } from "@/features/auth/one-time-code"

export const Route = createFileRoute("/auth/otp")({ component: OneTimeCode })
