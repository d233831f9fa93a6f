import { createFileRoute, redirect } from "@tanstack/react-router"
import { chooseClient, session } from "@/api/session"
import { prefetch } from "@/app/prefetch"
import { PapersTab } from "@/features/papers/papers-tab"
import { consentsQuery, kycQuery } from "@/features/papers/queries"

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)

/** A check before a send names the client whose papers are missing: that client is chosen first. */
export const Route = createFileRoute("/home/client/_tabs/papers")({
  validateSearch: (search): { clientId?: string; code?: string } => ({
    clientId: textOf(search.clientId),
    code: textOf(search.code),
  }),
  beforeLoad: ({ search: { clientId, code }, preload }) => {
    if (preload || clientId === undefined || code === undefined) return
    chooseClient(clientId, code)

    throw redirect({ to: "/home/client/papers", replace: true })
  },
  loader: (entry) => {
    const clientId = session.get("clientId")
    if (clientId !== null) prefetch(entry, kycQuery(clientId), consentsQuery(clientId))
  },
  component: PapersTab,
})
