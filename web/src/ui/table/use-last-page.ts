import { useEffect } from "react"

interface PagedQuery {
  data?: { pagination: { totalPages: number } }
  isFetching: boolean
  isPlaceholderData: boolean
}

/**
 * Goes back to the last page when the current page is past it, as after its last row was deleted. Only a fresh answer
 * counts: a cached one may not know rows that were added since. Returns the last page.
 */
export function useLastPage(query: PagedQuery, page: number, onPage: (page: number) => void) {
  const { data, isFetching, isPlaceholderData } = query
  const last = Math.max(1, data?.pagination.totalPages ?? page)
  const isPast = !isPlaceholderData && !isFetching && page > last
  useEffect(() => {
    if (isPast) onPage(last)
  }, [isPast, last, onPage])
  return last
}
