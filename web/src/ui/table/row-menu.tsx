import { Menu } from "@mantine/core"
import { useEffect } from "react"
import { MenuEntries } from "@/ui/overlay/menu"
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

/** One menu for a whole table: it goes to the button that was pressed, and gives the focus back to it. */
export function RowMenu<Row>({ open, entriesOf, onClose }: RowMenuProps<Row>) {
  useEffect(() => {
    if (!open) return
    // The menu is placed at its button; scrolling closes it.
    window.addEventListener("scroll", onClose, { capture: true, passive: true })
    window.addEventListener("resize", onClose)
    return () => {
      window.removeEventListener("scroll", onClose, { capture: true })
      window.removeEventListener("resize", onClose)
    }
  }, [open, onClose])

  if (!open) return null
  const place = open.button.getBoundingClientRect()
  return (
    <Menu
      opened
      onClose={() => {
        open.button.focus({ preventScroll: true })
        onClose()
      }}
      position="bottom-end"
      transitionProps={{ duration: 0 }}
      withinPortal
      returnFocus={false}
    >
      <Menu.Target>
        <span
          aria-hidden="true"
          style={{
            position: "fixed",
            pointerEvents: "none",
            left: place.left,
            top: place.top,
            width: place.width,
            height: place.height,
          }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={open.button.getAttribute("aria-label") ?? "Actions"}>
        <MenuEntries entries={entriesOf(open.row)} />
      </Menu.Dropdown>
    </Menu>
  )
}
