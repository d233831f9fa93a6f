import { useCallback, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { noteTaken } from "@/lib/taken"
import { useAmountsHidden } from "@/ui/money"
import { RowMenu, type OpenMenu } from "./row-menu"
import { Notice } from "@/ui/notice"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { TableCards } from "./table-cards"
import { TableGrid } from "./table-grid"
import { TableOptions } from "./table-options"
import { tableText } from "./table-text"
import type { TableProps } from "./table-types"
import styles from "./table.module.css"
import { toast } from "@/ui/overlay/toast"
import { useColumns } from "./use-columns"
import { useIsPhone } from "@/ui/use-media"
import { useTableHeight } from "./use-table-height"

export {
  PERCENT_WIDTH,
  steadyState,
  type Column,
  type Download,
  type Fetching,
  type MenuEntry,
} from "./table-types"

const FORBIDDEN = 403

/** What the server says where a list is not for this person: the reason, not that it failed. */
const refusalOf = (error: unknown) =>
  error instanceof Error && "status" in error && error.status === FORBIDDEN
    ? error.message
    : undefined

/** The one table: rows on a desk, two-line cards on a phone, never both. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, state, empty, errorMessage = "Failed to fetch data", loadingText, menu } = props
  // The totals are amounts; rows look themselves.
  useAmountsHidden()
  const isPhone = useIsPhone()
  const [openMenu, setOpenMenu] = useState<OpenMenu<Row> | null>(null)
  const closeMenu = useCallback(() => setOpenMenu(null), [])

  const { shown, choice } = useColumns(props.name, props.columns, props.columnSets)
  const { fill, height } = useTableHeight(props)
  const frame = useRef<HTMLDivElement>(null)
  // A phone shows cards; the table is drawn, unseen, for the moment in which it is read.
  const [isRead, setIsRead] = useState(false)
  const copy = async () => {
    flushSync(() => setIsRead(true))
    const table = frame.current?.querySelector("table")
    const text = table ? tableText(table) : ""
    setIsRead(false)
    try {
      await navigator.clipboard.writeText(text)
      noteTaken({ what: props.label, way: "copied", rows: rows?.length ?? 0 })
      toast.success("Table copied")
    } catch {
      toast.error("The table could not be copied", {
        detail: "The browser does not let this page write to the clipboard.",
      })
    }
  }

  const refusal = refusalOf(state?.error)
  const isLoading = rows === undefined && state?.isError !== true
  const hasRows = rows !== undefined && rows.length > 0
  const isEmpty = rows?.length === 0 && state?.isError !== true
  const View = isPhone ? TableCards : TableGrid
  const drawn = { ...props, columns: shown, height, openMenu, onMenu: setOpenMenu }
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-dimmed={rows !== undefined && state?.isFetching === true && !state.isPending}
      aria-busy={state?.isFetching ?? false}
    >
      {props.name !== undefined && !(props.isForm && isPhone) && (
        <TableOptions
          label={props.label}
          // A custom card has no columns to choose.
          columns={props.isForm || (isPhone && props.renderCard) ? undefined : choice}
          // Cards are as long as the page.
          fill={isPhone ? undefined : fill}
          onCopy={props.isForm ? undefined : hasRows ? () => void copy() : null}
          download={props.download}
        />
      )}
      {state?.isError && (
        <div className={styles.notice}>
          {refusal === undefined ? (
            <ErrorNote message={errorMessage} onRetry={state.refetch} />
          ) : (
            <Notice tone="info">{refusal}</Notice>
          )}
        </div>
      )}
      {isLoading && (
        <div className={styles.loading}>
          <Loading text={loadingText} />
        </div>
      )}
      {(isLoading || hasRows) && <View {...drawn} />}
      {isRead && isPhone && (
        <div hidden>
          <TableGrid {...drawn} />
        </div>
      )}
      {isEmpty && <EmptyState {...empty} />}
      {menu && <RowMenu open={openMenu} entriesOf={menu} onClose={closeMenu} />}
    </div>
  )
}
