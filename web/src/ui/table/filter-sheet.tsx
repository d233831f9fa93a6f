import { Drawer } from "@mantine/core"
import { X } from "lucide-react"
import { IconButton } from "@/ui/button"
import { DatePanel } from "@/ui/form/date-panel"
import { Segments } from "@/ui/form/segments"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import type { FilterMenuProps } from "./filter-menu"
import styles from "./filter-menu.module.css"

/** The open filter on a phone: a sheet from below. */
export default function FilterSheet(props: FilterMenuProps & { onClose: () => void }) {
  const { onClose, range, onRange, today, statuses, status = "", onStatus } = props
  useFocusReturn()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      classNames={{ content: styles.sheetFrame }}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label="Filter">
        <div className={styles.sheet}>
          <div className={styles.sheetHead}>
            <h2 tabIndex={-1} data-autofocus>
              Filter
            </h2>
            <IconButton label="Close" icon={<X size={18} />} onClick={onClose} />
          </div>
          {statuses && (
            <Segments
              label="Status"
              choices={Object.fromEntries(statuses.map((word) => [word, word]))}
              value={status}
              onChoice={(word) => {
                onClose()
                onStatus?.(word)
              }}
            />
          )}
          <DatePanel
            value={range}
            today={today}
            onRange={(next) => {
              onClose()
              onRange(next)
            }}
          />
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
