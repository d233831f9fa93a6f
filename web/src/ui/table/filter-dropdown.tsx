import { Menu } from "@mantine/core"
import { CalendarDays, Check, ChevronRight, CircleDot } from "lucide-react"
import { useState } from "react"
import { DatePanel } from "@/ui/form/date-panel"
import { AnchoredMenu } from "@/ui/overlay/anchored-menu"
import { AnchoredPopover } from "@/ui/overlay/anchored-popover"
import type { FilterMenuProps } from "./filter-menu"

interface FilterDropdownProps extends FilterMenuProps {
  at: HTMLElement
  onClose: () => void
}

/** The open filter on a desk: a menu, in whose place the statuses or the calendar open. */
export default function FilterDropdown(props: FilterDropdownProps) {
  const { at, onClose, range, onRange, today, statuses, status, onStatus } = props
  const [open, setOpen] = useState<"menu" | "status" | "date">("menu")
  if (open === "date")
    return (
      <AnchoredPopover at={at} label="Date" onClose={onClose} position="bottom-start">
        <DatePanel
          value={range}
          today={today}
          onRange={(next) => {
            at.focus({ preventScroll: true })
            onClose()
            onRange(next)
          }}
        />
      </AnchoredPopover>
    )
  return (
    <AnchoredMenu
      // A menu takes the focus when it opens.
      key={open}
      at={at}
      label={open === "status" ? "Status" : "Filter"}
      onClose={onClose}
      position="bottom-start"
    >
      {open === "status" ? (
        statuses?.map((word) => (
          <Menu.Item
            key={word}
            leftSection={<Check size={15} visibility={word === status ? "visible" : "hidden"} />}
            aria-current={word === status ? "true" : undefined}
            data-autofocus={word === status}
            onClick={() => onStatus?.(word)}
            onKeyDown={(event) => event.key === "ArrowLeft" && setOpen("menu")}
          >
            {word}
          </Menu.Item>
        ))
      ) : (
        <>
          <Menu.Item
            leftSection={<CalendarDays size={15} />}
            aria-haspopup="dialog"
            closeMenuOnClick={false}
            onClick={() => setOpen("date")}
          >
            Date
          </Menu.Item>
          {statuses && (
            <Menu.Item
              leftSection={<CircleDot size={15} />}
              rightSection={<ChevronRight size={15} />}
              aria-haspopup="menu"
              closeMenuOnClick={false}
              onClick={() => setOpen("status")}
              onKeyDown={(event) => event.key === "ArrowRight" && setOpen("status")}
            >
              Status
            </Menu.Item>
          )}
        </>
      )}
    </AnchoredMenu>
  )
}
