import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { requireAdmin } from "@/app/guard"
import { datedSearch, listSearch } from "@/app/list-search"
import { AuditTrail } from "@/features/audit/audit-screen"
import { AUDIT_PAGE, type AuditView } from "@/features/audit/queries"

const LONGEST = 60
const list = listSearch(AUDIT_PAGE)
const dates = datedSearch(AUDIT_PAGE)
const wordOf = (value: unknown) => (typeof value === "string" ? value.slice(0, LONGEST) : "")
const plain: AuditView = {
  page: 1,
  limit: AUDIT_PAGE,
  query: "",
  from: "",
  to: "",
  who: "",
  action: "",
  kind: "",
}

export const Route = createFileRoute("/home/audit")({
  validateSearch: (search: Partial<AuditView> & SearchSchemaInput): AuditView => {
    const { page, limit, query } = list(search)
    const { from, to } = dates(search)
    const { who, action, kind } = search
    return {
      ...{ page, limit, query, from, to },
      ...{ who: wordOf(who), action: wordOf(action), kind: wordOf(kind) },
    }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  beforeLoad: requireAdmin,
  component: AuditRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function AuditRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<AuditView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined,
      }),
    [go],
  )
  return <AuditTrail view={Route.useSearch()} onView={onView} />
}
