import { useCallback, useState } from "react"
import { useAmountsHidden } from "./money"
import { RowMenu, type OpenMenu } from "./row-menu"
import { EmptyState, ErrorNote, Loading } from "./states"
import { TableCards } from "./table-cards"
import { TableGrid } from "./table-grid"
import type { TableProps } from "./table-types"
import styles from "./table.module.css"
import { useIsPhone } from "./use-media"

export { steadyState, type Column, type Fetching, type MenuEntry } from "./table-types"

/** The one table: rows on a desk, two-line cards on a phone, never both. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, state, empty, errorMessage = "Failed to fetch data", loadingText, menu } = props
  useAmountsHidden()
  const isPhone = useIsPhone()
  const [openMenu, setOpenMenu] = useState<OpenMenu<Row> | null>(null)
  const closeMenu = useCallback(() => setOpenMenu(null), [])

  const isLoading = rows === undefined && state?.isError !== true
  const isEmpty = rows?.length === 0 && state?.isError !== true
  const View = isPhone ? TableCards : TableGrid
  return (
    <div
      className={styles.frame}
      data-dimmed={rows !== undefined && state?.isFetching === true && !state.isPending}
      aria-busy={state?.isFetching ?? false}
    >
      {state?.isError && (
        <div className={styles.notice}>
          <ErrorNote message={errorMessage} onRetry={state.refetch} />
        </div>
      )}
      {isLoading && <span className="sr-only">{<Loading text={loadingText} />}</span>}
      {(isLoading || (rows !== undefined && rows.length > 0)) && (
        <View {...props} openMenu={openMenu} onMenu={setOpenMenu} />
      )}
      {isEmpty && <EmptyState {...empty} />}
      {menu && <RowMenu open={openMenu} entriesOf={menu} onClose={closeMenu} />}
    </div>
  )
}
