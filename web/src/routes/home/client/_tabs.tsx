import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { askAhead } from "@/app/ask-ahead"
import { ClientLayout } from "@/features/clients/client-layout"
import { clientProfileQuery } from "@/features/clients/queries"

export const Route = createFileRoute("/home/client/_tabs")({
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) askAhead(entry, clientProfileQuery(clientId))
  },
  component: ClientLayout,
})
