import { useState } from "react"
import type { PaginationProps } from "./pagination"

/** Pages through rows that are all loaded; returns the rows of the page and the props of `<Pagination>`. */
export function usePages<Row>(rows: Row[] | undefined, size: number) {
  const [page, setPage] = useState(1)
  const [limit, setLimit] = useState(size)
  const total = rows?.length ?? 0
  const shownPage = Math.min(page, Math.max(1, Math.ceil(total / limit)))
  const pagination: PaginationProps = {
    page: shownPage,
    limit,
    total,
    onPage: setPage,
    onLimit: (next) => {
      setLimit(next)
      setPage(1)
    },
  }
  return { rows: rows?.slice((shownPage - 1) * limit, shownPage * limit), pagination }
}
