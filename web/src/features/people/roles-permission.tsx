import { getRouteApi } from "@tanstack/react-router"
import { useSession } from "@/api/use-session"
import { Screen } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Tabs } from "@/ui/tabs"
import { PeopleList } from "./people-list"
import type { Kind } from "./queries"

const route = getRouteApi("/home/roles-permission")

const tabs = { users: "Users", clients: "Clients" }

/** Users, for ADMIN alone, and Clients: who there is, and what they may. */
export function RolesPermission() {
  usePageTitle("Roles & Permission")
  const { tab } = route.useSearch()
  const go = route.useNavigate()
  const role = useSession("role")
  const isAdmin = role === "ADMIN"
  const kind: Kind = isAdmin && tab !== "clients" ? "users" : "clients"
  // The session is over and the login on its way: nothing is asked for any more.
  if (role === null) return null
  return (
    <Screen>
      <Tabs
        label="Kinds of people"
        choices={isAdmin ? tabs : { clients: tabs.clients }}
        value={kind}
        onChoice={(chosen: Kind) => void go({ search: { tab: chosen } })}
      >
        <PeopleList key={kind} kind={kind} isAdmin={isAdmin} />
      </Tabs>
    </Screen>
  )
}
