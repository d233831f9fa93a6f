import { Drawer, Menu, Popover } from "@mantine/core"
import { CalendarDays, Check, ChevronRight, CircleDot, ListFilter, X } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { dateRange, type Range } from "@/lib/dates"
import { Button, IconButton } from "@/ui/button"
import { DatePanel } from "@/ui/form/date-panel"
import styles from "./filter-menu.module.css"
import { Segments } from "@/ui/form/segments"
import { useIsPhone } from "@/ui/use-media"

interface FilterMenuProps {
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

type Open = "menu" | "status" | "date" | "sheet" | null

/** Filters of a table: a menu with a calendar and the statuses on a desk, a sheet on a phone. The set filters are shown beside it. */
export function FilterMenu(props: FilterMenuProps) {
  const { range, status = "", onRange, onStatus } = props
  const isPhone = useIsPhone()
  const View = isPhone ? FilterSheet : FilterDropdown
  return (
    <div className={styles.filters}>
      <View {...props} />
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

function FilterDropdown({ range, onRange, today, statuses, status, onStatus }: FilterMenuProps) {
  const [open, setOpen] = useState<Open>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open !== "status") return
    const chosen = dropdown.current?.querySelector<HTMLElement>("[aria-current]")
    const first = dropdown.current?.querySelector<HTMLElement>("[data-menu-item]")
    ;(chosen ?? first)?.focus()
  }, [open])
  return (
    <Popover
      opened={open === "date"}
      onChange={(isOpen) => !isOpen && setOpen(null)}
      position="bottom-start"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      withRoles={false}
    >
      <Popover.Target>
        <span>
          <Menu
            opened={open === "menu" || open === "status"}
            // The menu that closes because Date was chosen must not close the calendar too.
            onChange={(isOpen) =>
              setOpen((old) => (isOpen ? "menu" : old === "date" ? "date" : null))
            }
            position="bottom-start"
            transitionProps={{ duration: 0 }}
            withinPortal
          >
            <Menu.Target>
              <Button icon={<ListFilter size={15} />} aria-haspopup="menu">
                Filter
              </Button>
            </Menu.Target>
            <Menu.Dropdown
              ref={dropdown}
              aria-label={open === "status" ? "Status" : "Filter"}
              onKeyDown={(event) => {
                if (event.key === "ArrowLeft" && open === "status") setOpen("menu")
              }}
            >
              {open === "status" ? (
                statuses?.map((word) => (
                  <Menu.Item
                    key={word}
                    leftSection={
                      <Check size={15} visibility={word === status ? "visible" : "hidden"} />
                    }
                    aria-current={word === status ? "true" : undefined}
                    onClick={() => {
                      setOpen(null)
                      onStatus?.(word)
                    }}
                  >
                    {word}
                  </Menu.Item>
                ))
              ) : (
                <FilterEntries hasStatus={statuses !== undefined} onOpen={setOpen} />
              )}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Date">
        <DatePanel
          value={range}
          today={today}
          onRange={(next) => {
            setOpen(null)
            onRange(next)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface FilterEntriesProps {
  hasStatus: boolean
  onOpen: (open: Open) => void
}

/** What there is to filter by. The statuses open in the menu's own place, by click, touch and key alike. */
function FilterEntries({ hasStatus, onOpen }: FilterEntriesProps) {
  return (
    <>
      <Menu.Item
        leftSection={<CalendarDays size={15} />}
        aria-haspopup="dialog"
        onClick={() => onOpen("date")}
      >
        Date
      </Menu.Item>
      {hasStatus && (
        <Menu.Item
          leftSection={<CircleDot size={15} />}
          rightSection={<ChevronRight size={15} />}
          aria-haspopup="menu"
          closeMenuOnClick={false}
          onClick={() => onOpen("status")}
          onKeyDown={(event) => event.key === "ArrowRight" && onOpen("status")}
        >
          Status
        </Menu.Item>
      )}
    </>
  )
}

function FilterSheet({ range, onRange, today, statuses, status = "", onStatus }: FilterMenuProps) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button
        icon={<ListFilter size={15} />}
        aria-haspopup="dialog"
        onClick={() => setOpen("sheet")}
      >
        Filter
      </Button>
      <Drawer.Root
        opened={open === "sheet"}
        onClose={close}
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
              <IconButton label="Close" icon={<X size={18} />} onClick={close} />
            </div>
            {statuses && (
              <Segments
                label="Status"
                choices={Object.fromEntries(statuses.map((word) => [word, word]))}
                value={status}
                onChoice={(word) => {
                  close()
                  onStatus?.(word)
                }}
              />
            )}
            <DatePanel
              value={range}
              today={today}
              onRange={(next) => {
                close()
                onRange(next)
              }}
            />
          </div>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}
