import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { type ListSearch, listSearch, plainList } from "@/app/list-search"
import { RolesPermission } from "@/features/people/roles-permission"

interface RolesSearch extends ListSearch {
  /** Without it the first tab that the role may see. */
  tab: "" | "users" | "clients"
  view: "" | "deleted"
}

const rows = 10
const plain: RolesSearch = { ...plainList(rows), tab: "", view: "" }

export const Route = createFileRoute("/home/roles-permission")({
  validateSearch: (search: Partial<RolesSearch> & SearchSchemaInput): RolesSearch => ({
    ...listSearch(rows)(search),
    tab: search.tab === "users" || search.tab === "clients" ? search.tab : "",
    view: search.view === "deleted" ? search.view : "",
  }),
  search: { middlewares: [stripSearchParams(plain)] },
  component: RolesPermission,
})
