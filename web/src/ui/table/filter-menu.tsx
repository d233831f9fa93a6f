import { ListFilter, X } from "lucide-react"
import { dateRange, type Range } from "@/lib/dates"
import { Button, IconButton } from "@/ui/button"
import styles from "./filter-menu.module.css"
import { lazyComponent } from "@/ui/lazy-component"
import { useAnchor } from "@/ui/overlay/use-anchor"
import { useIsPhone } from "@/ui/use-media"

export interface FilterMenuProps {
  range: Range | null
  /** Called once both ends are chosen, and with null when the filter is cleared. */
  onRange: (range: Range | null) => void
  /** Today in India, from the caller's clock. */
  today: string
  /** The words to choose one of; without them the date is the only filter. */
  statuses?: readonly string[]
  /** The chosen word; empty for none. */
  status?: string
  onStatus?: (status: string) => void
}

const FilterDropdown = lazyComponent(() => import("./filter-dropdown"))
const FilterSheet = lazyComponent(() => import("./filter-sheet"))

/** Filters of a table: a menu with a calendar and the statuses on a desk, a sheet on a phone. The set filters are shown beside it. */
export function FilterMenu(props: FilterMenuProps) {
  const { range, status = "", onRange, onStatus } = props
  const isPhone = useIsPhone()
  const { at, close, buttonProps } = useAnchor()
  return (
    <div className={styles.filters}>
      <Button
        icon={<ListFilter size={15} />}
        aria-haspopup={isPhone ? "dialog" : "menu"}
        {...buttonProps}
      >
        Filter
      </Button>
      {at && isPhone && <FilterSheet {...props} onClose={close} />}
      {at && !isPhone && <FilterDropdown {...props} at={at} onClose={close} />}
      {range && (
        <Chip
          text={dateRange(range.from, range.to)}
          clears="Clear date filter"
          onClear={() => onRange(null)}
        />
      )}
      {status !== "" && (
        <Chip text={status} clears="Clear status filter" onClear={() => onStatus?.("")} />
      )}
    </div>
  )
}

function Chip({ text, clears, onClear }: { text: string; clears: string; onClear: () => void }) {
  return (
    <span className={styles.chip}>
      {text}
      <IconButton label={clears} icon={<X size={13} />} onClick={onClear} />
    </span>
  )
}
