import { Menu } from "@mantine/core"
import { Copy, FileDown, FileSpreadsheet } from "lucide-react"
import { AnchoredMenu } from "@/ui/overlay/anchored-menu"
import styles from "./table.module.css"
import type { ColumnChoice } from "./use-columns"
import type { FillChoice } from "./use-table-height"

interface TableOptionsMenuProps {
  at: HTMLElement
  label: string
  onClose: () => void
  columns?: ColumnChoice
  fill?: FillChoice
  /** Copies what is shown; null while there is nothing. */
  onCopy?: (() => void) | null
  onDownload?: (format: "csv" | "xlsx") => void
  isMaking: boolean
}

/** The open menu of a table. */
export default function TableOptionsMenu(props: TableOptionsMenuProps) {
  const { at, label, onClose, columns, fill, onCopy, onDownload, isMaking } = props
  return (
    <AnchoredMenu
      at={at}
      label={label}
      onClose={onClose}
      className={styles.options}
      // Where the page's own parts are; and a menu that scrolls must be reachable by keyboard.
      portalProps={{ target: document.querySelector<HTMLElement>("main") ?? document.body }}
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
    >
      {onCopy !== undefined && (
        <Menu.Item
          leftSection={<Copy size={15} />}
          disabled={onCopy === null}
          onClick={() => onCopy?.()}
        >
          Copy as text
        </Menu.Item>
      )}
      {onDownload && (
        <>
          <Menu.Item
            leftSection={<FileDown size={15} />}
            disabled={isMaking}
            onClick={() => onDownload("csv")}
          >
            Download CSV
          </Menu.Item>
          <Menu.Item
            leftSection={<FileSpreadsheet size={15} />}
            disabled={isMaking}
            onClick={() => onDownload("xlsx")}
          >
            Download Excel
          </Menu.Item>
        </>
      )}
      {fill && (
        <Menu.CheckboxItem checked={fill.isFilling} onChange={fill.toggle}>
          Fill the window
        </Menu.CheckboxItem>
      )}
      {columns && <Columns {...columns} />}
    </AnchoredMenu>
  )
}

function Columns({ titles, toggle, sets, set, chooseSet }: ColumnChoice) {
  return (
    <>
      {sets.length > 0 && (
        <>
          <Menu.Label>Column sets</Menu.Label>
          <Menu.RadioGroup value={set} onChange={chooseSet}>
            {sets.map((name) => (
              <Menu.RadioItem key={name} value={name}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </>
      )}
      {titles.length > 0 && <Menu.Label>Columns</Menu.Label>}
      {titles.map(({ title, isShown }) => (
        <Menu.CheckboxItem key={title} checked={isShown} onChange={() => toggle(title)}>
          {title}
        </Menu.CheckboxItem>
      ))}
    </>
  )
}
