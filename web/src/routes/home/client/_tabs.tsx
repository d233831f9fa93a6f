import { createFileRoute } from "@tanstack/react-router"
import { ClientLayout } from "@/features/clients/client-layout"

export const Route = createFileRoute("/home/client/_tabs")({ component: ClientLayout })
