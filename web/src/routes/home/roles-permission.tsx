import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { PEOPLE_PAGE, type PeopleView } from "@/features/people/queries"
import { RolesPermission } from "@/features/people/roles-permission"

const plain: PeopleView = { page: 1, limit: PEOPLE_PAGE, query: "", sort: "", tab: "", view: "" }

export const Route = createFileRoute("/home/roles-permission")({
  ...listSearch(plain, { tab: ["users", "clients"], view: ["deleted"] }),
  component: RolesRoute,
})

function RolesRoute() {
  return <RolesPermission view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
