import { useSession } from "@/api/use-session"
import { Screen } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Tabs } from "@/ui/tabs"
import type { ListProps } from "@/ui/table/use-list-screen"
import { PeopleList } from "./people-list"
import { type Kind, PEOPLE_PAGE, type PeopleView } from "./queries"

/** How a tab opens. */
const firstView = { page: 1, limit: PEOPLE_PAGE, query: "", sort: "", view: "" } as const

const tabs = { users: "Users", clients: "Clients" }

/** The Users tab, for ADMIN only, and the Clients tab. */
export function RolesPermission({ view, onView }: ListProps<PeopleView>) {
  usePageTitle("Roles & Permission")
  const role = useSession("role")
  const isAdmin = role === "ADMIN"
  const kind: Kind = isAdmin && view.tab !== "clients" ? "users" : "clients"
  // The session has ended and the login page is loading: fetch nothing more.
  if (role === null) return null
  return (
    <Screen>
      <Tabs
        label="Kinds of people"
        choices={isAdmin ? tabs : { clients: tabs.clients }}
        value={kind}
        onChoice={(tab: Kind) => onView({ tab, ...firstView })}
      >
        <PeopleList key={kind} kind={kind} isAdmin={isAdmin} view={view} onView={onView} />
      </Tabs>
    </Screen>
  )
}
