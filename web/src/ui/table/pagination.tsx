import { ChevronLeft, ChevronRight } from "lucide-react"
import { NativeSelect } from "@mantine/core"
import { count } from "@/lib/format"
import { pageNumbers } from "./page-numbers"
import styles from "./pagination.module.css"

export interface PaginationProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
  /** Page sizes on offer; without it the size is fixed. */
  sizes?: number[]
  onLimit?: (limit: number) => void
  label?: string
}

/** A table's foot: how many are shown, how many a page, which page. */
export function Pagination(props: PaginationProps) {
  const { page, limit, total, onPage, sizes, onLimit, label = "Pages" } = props
  const pages = Math.max(1, Math.ceil(total / limit))
  const from = total === 0 ? 0 : (page - 1) * limit + 1
  const to = Math.min(page * limit, total)
  return (
    <div className={styles.foot}>
      <span className={styles.shown} role="status">
        {from > total ? `0 of ${count(total)}` : `${count(from)}–${count(to)} of ${count(total)}`}
      </span>
      {sizes && onLimit && (
        <span className={styles.size}>
          <span aria-hidden="true">Rows</span>
          <NativeSelect
            aria-label="Rows on a page"
            classNames={{ wrapper: styles.select }}
            data={[...new Set([...sizes, limit])].sort((a, b) => a - b).map(String)}
            value={String(limit)}
            onChange={(event) => onLimit(Number(event.currentTarget.value))}
          />
        </span>
      )}
      <nav className={styles.pages} aria-label={label}>
        <button
          type="button"
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft size={15} />
        </button>
        {pageNumbers(page, pages).map((number, index) =>
          number === null ? (
            <span key={`gap-${index}`} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={number}
              type="button"
              aria-label={`Page ${number}`}
              aria-current={number === page ? "page" : undefined}
              onClick={() => onPage(number)}
            >
              {number}
            </button>
          ),
        )}
        <button
          type="button"
          aria-label="Next page"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight size={15} />
        </button>
      </nav>
    </div>
  )
}
