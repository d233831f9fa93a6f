import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { listSearch } from "@/app/list-search"
import { ModelPage, type ModelView } from "@/features/models/model-page"
import { MODELS_PAGE } from "@/parts/models"

const plain: ModelView = {
  page: 1,
  limit: MODELS_PAGE,
  query: "",
  tab: "version",
  number: 0,
  against: 0,
}
const tabs = ["version", "subscribers", "history"] as const
const numberFrom = (value: unknown) => {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : 0
}

export const Route = createFileRoute("/home/models/$modelId/")({
  validateSearch: (search: Partial<ModelView> & SearchSchemaInput): ModelView => {
    const { page, limit, query } = listSearch(MODELS_PAGE)(search)
    return {
      page,
      limit,
      query,
      tab: tabs.find((word) => word === search.tab) ?? "version",
      number: numberFrom(search.number),
      against: numberFrom(search.against),
    }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  component: ModelRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function ModelRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<ModelView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined && change.tab === undefined,
      }),
    [go],
  )
  return <ModelPage modelId={Route.useParams().modelId} view={Route.useSearch()} onView={onView} />
}
