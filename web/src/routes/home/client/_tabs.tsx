import { createFileRoute } from "@tanstack/react-router"
import { session } from "@/api/session"
import { prefetch } from "@/app/prefetch"
import { ClientLayout } from "@/features/clients/client-layout"
import { clientProfileQuery } from "@/features/clients/queries"
import { EditClient } from "@/features/people/edit-client"

export const Route = createFileRoute("/home/client/_tabs")({
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) prefetch(entry, clientProfileQuery(clientId))
  },
  component: Tabs,
})

/** Two features meet: the client's page and the dialog that edits the record. */
function Tabs() {
  return <ClientLayout edit={EditClient} />
}
