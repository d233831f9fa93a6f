import { createFileRoute } from "@tanstack/react-router"
import { ClientProfile } from "@/features/clients/client-profile"

export const Route = createFileRoute("/home/client/_tabs/profile")({ component: ClientProfile })
