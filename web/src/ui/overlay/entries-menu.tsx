import { Menu } from "@mantine/core"
import type { MenuEntry } from "@/ui/table/table-types"
import { AnchoredMenu } from "./anchored-menu"

interface EntriesMenuProps {
  at: HTMLElement
  label: string
  entries: MenuEntry[]
  onClose: () => void
}

/** A menu of entries at the button that was pressed. */
export default function EntriesMenu({ entries, ...rest }: EntriesMenuProps) {
  return (
    <AnchoredMenu {...rest}>
      <MenuEntries entries={entries} />
    </AnchoredMenu>
  )
}

function MenuEntries({ entries }: { entries: MenuEntry[] }) {
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
