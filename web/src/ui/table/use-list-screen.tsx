import {
  keepPreviousData,
  type QueryKey,
  useQuery,
  type UseQueryOptions,
} from "@tanstack/react-query"
import { type ReactNode, useCallback } from "react"
import type { Range } from "@/lib/dates"
import { Button } from "@/ui/button"
import { steadyState } from "./table-types"
import { useLastPage } from "./use-last-page"

/** What the address of a list holds; both days or none, "" where nothing filters. */
export interface ListView {
  page: number
  limit: number
  query?: string
  sort?: string
  from?: string
  to?: string
}

/** What a route gives a list screen. */
export interface ListProps<View> {
  view: View
  /** `replace` leaves no step to go back to. */
  onView: (change: Partial<View>, replace?: boolean) => void
}

interface PagedRows<Row> {
  data: Row[]
  pagination: { totalPages: number; totalUsers: number }
}

interface ListOptions<View, Fetched, Page, Key extends QueryKey> extends ListProps<View> {
  /** The query of one page of rows. */
  query: UseQueryOptions<Fetched, Error, Page, Key>
  /** The filters of the view as they are when nothing is filtered. */
  noFilter: Partial<View>
}

interface EmptyTexts {
  title?: string
  /** Where rows come from, and the button that adds the first. */
  hint: string
  action?: ReactNode
  /** Why no row is shown when a filter is set, and the label of the button that clears it. */
  noMatch: string
  clearLabel?: string
}

/** One page of rows that are all here, as if the server had paged them: for the `select` of a query. */
export function pageOf<Row>(all: Row[], { page, limit }: ListView) {
  const totalPages = Math.ceil(all.length / limit)
  const first = (Math.min(page, Math.max(1, totalPages)) - 1) * limit
  return {
    all,
    data: all.slice(first, first + limit),
    pagination: { totalPages, totalUsers: all.length },
  }
}

/**
 * A list screen: fetches the page that the view names, and returns the props of its search field, date filter, table
 * and pagination. Every filter goes back to page 1; a page past the last one goes back to the last.
 */
export function useListScreen<
  View extends ListView,
  Fetched,
  Page extends PagedRows<unknown>,
  Key extends QueryKey,
>({ view, onView, query, noFilter }: ListOptions<View, Fetched, Page, Key>) {
  const result = useQuery({ ...query, placeholderData: keepPreviousData })
  const change = (next: Partial<ListView>, replace?: boolean) =>
    onView(next as Partial<View>, replace)
  const goBack = useCallback((page: number) => onView({ page } as Partial<View>, true), [onView])
  const lastPage = useLastPage(result, view.page, goBack)

  const filter = (filters: Partial<View>) => onView({ ...filters, page: 1 })
  const clear = () => filter(noFilter)
  const isFiltered = (Object.keys(noFilter) as (keyof View)[]).some(
    (name) => view[name] !== noFilter[name],
  )
  const { query: text = "", sort, from = "", to = "" } = view
  return {
    result,
    filter,
    clear,
    isFiltered,
    search: {
      value: text,
      isSearching: result.isPlaceholderData,
      onSearch: (next: string) => change({ query: next, page: 1 }, true),
    },
    dates: {
      range: from === "" ? null : { from, to },
      onRange: (range: Range | null) =>
        change({ from: range?.from ?? "", to: range?.to ?? "", page: 1 }),
    },
    table: {
      rows: result.data?.data as Page["data"] | undefined,
      state: steadyState(result),
      sort,
      onSort: (next: string) => change({ sort: next, page: 1 }),
    },
    pages: {
      page: Math.min(view.page, lastPage),
      limit: view.limit,
      total: result.data?.pagination.totalUsers ?? 0,
      onPage: (page: number) => change({ page }),
      onLimit: (limit: number) => change({ limit, page: 1 }),
    },
    empty: ({ title = "No Data Available", clearLabel = "Clear filters", ...texts }: EmptyTexts) =>
      isFiltered
        ? { title, hint: texts.noMatch, action: <Button onClick={clear}>{clearLabel}</Button> }
        : { title, hint: texts.hint, action: texts.action },
  }
}
