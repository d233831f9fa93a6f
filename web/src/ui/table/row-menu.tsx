import { EntriesMenu } from "@/ui/overlay/menu"
import type { MenuEntry } from "./table-types"

export interface OpenMenu<Row> {
  row: Row
  button: HTMLElement
}

interface RowMenuProps<Row> {
  open: OpenMenu<Row> | null
  entriesOf: (row: Row) => MenuEntry[]
  onClose: () => void
}

/** One menu for a whole table: it opens at the button that was pressed. */
export function RowMenu<Row>({ open, entriesOf, onClose }: RowMenuProps<Row>) {
  if (!open) return null
  return (
    <EntriesMenu
      at={open.button}
      label={open.button.getAttribute("aria-label") ?? "Actions"}
      entries={entriesOf(open.row)}
      onClose={onClose}
    />
  )
}
