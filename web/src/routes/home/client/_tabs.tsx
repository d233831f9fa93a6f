import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { prefetch } from "@/app/prefetch"
import { ClientLayout } from "@/features/clients/client-layout"
import { clientProfileQuery } from "@/features/clients/queries"

export const Route = createFileRoute("/home/client/_tabs")({
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) prefetch(entry, clientProfileQuery(clientId))
  },
  component: ClientLayout,
})
