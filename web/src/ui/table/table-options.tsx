import { Loader, Menu } from "@mantine/core"
import { Copy, FileDown, FileSpreadsheet, SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import { saveFile } from "@/lib/save-file"
import { IconButton } from "@/ui/button"
import { InOptionsPlace } from "@/ui/form/options-place"
import styles from "./table.module.css"
import type { Download } from "./table-types"
import { toast } from "@/ui/overlay/toast"
import type { ColumnChoice } from "./use-columns"
import type { FillChoice } from "./use-table-height"

interface TableOptionsProps {
  /** What the table is called. */
  label: string
  columns?: ColumnChoice
  fill?: FillChoice
  /** Copies what is shown; null while there is nothing. */
  onCopy?: (() => void) | null
  download?: Download
}

/** The one menu of a table: which columns, and how to take it away. */
export function TableOptions({ label, columns, fill, onCopy, download }: TableOptionsProps) {
  const [isMaking, setIsMaking] = useState(false)
  const take = async (fetchFile: Download, format: "csv" | "xlsx") => {
    setIsMaking(true)
    try {
      const { content, name } = await fetchFile(format)
      saveFile(content, name)
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "The file could not be created.")
    } finally {
      setIsMaking(false)
    }
  }
  return (
    <InOptionsPlace>
      <Menu
        position="bottom-end"
        transitionProps={{ duration: 0 }}
        withinPortal
        // Where the page's own parts are; and a menu that scrolls must be reachable by keyboard.
        portalProps={{ target: document.querySelector<HTMLElement>("main") ?? document.body }}
        withInitialFocusPlaceholder={false}
        menuItemTabIndex={0}
      >
        <Menu.Target>
          <IconButton
            framed
            label={`Table options: ${label}`}
            icon={isMaking ? <Loader size={16} /> : <SlidersHorizontal size={16} />}
            aria-haspopup="menu"
            aria-busy={isMaking}
          />
        </Menu.Target>
        <Menu.Dropdown aria-label={`Table options: ${label}`} className={styles.options}>
          {onCopy !== undefined && (
            <Menu.Item
              leftSection={<Copy size={15} />}
              disabled={onCopy === null}
              onClick={() => onCopy?.()}
            >
              Copy as text
            </Menu.Item>
          )}
          {download && (
            <>
              <Menu.Item
                leftSection={<FileDown size={15} />}
                disabled={isMaking}
                onClick={() => void take(download, "csv")}
              >
                Download CSV
              </Menu.Item>
              <Menu.Item
                leftSection={<FileSpreadsheet size={15} />}
                disabled={isMaking}
                onClick={() => void take(download, "xlsx")}
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
        </Menu.Dropdown>
      </Menu>
      <span className="sr-only" role="status">
        {isMaking && "Creating the file"}
      </span>
    </InOptionsPlace>
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
