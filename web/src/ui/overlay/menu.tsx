import { Menu } from "@mantine/core"
import type { ReactElement } from "react"
import type { MenuEntry } from "@/ui/table/table-types"

/** A button with a menu under it. The button is one element that takes a ref. */
export function ButtonMenu({
  button,
  entries,
  label,
  isOpen,
  onOpen,
}: {
  button: ReactElement
  entries: MenuEntry[]
  label: string
  /** Given with `onOpen` where a press does not always open the menu. */
  isOpen?: boolean
  onOpen?: (isOpen: boolean) => void
}) {
  return (
    <Menu
      position="bottom-end"
      transitionProps={{ duration: 0 }}
      withinPortal
      opened={isOpen}
      onChange={onOpen}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <MenuEntries entries={entries} />
      </Menu.Dropdown>
    </Menu>
  )
}

export function MenuEntries({ entries }: { entries: MenuEntry[] }) {
  return entries.map((entry) =>
    entry.entries ? (
      <Menu.Sub key={entry.label} transitionProps={{ duration: 0 }}>
        <Menu.Sub.Target>
          <Menu.Sub.Item leftSection={entry.icon}>{entry.label}</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown aria-label={entry.label}>
          <MenuEntries entries={entry.entries} />
        </Menu.Sub.Dropdown>
      </Menu.Sub>
    ) : (
      <Menu.Item
        key={entry.label}
        leftSection={entry.icon}
        color={entry.isDanger ? "loss" : undefined}
        disabled={entry.disabled}
        onClick={entry.onSelect}
      >
        {entry.label}
      </Menu.Item>
    ),
  )
}
