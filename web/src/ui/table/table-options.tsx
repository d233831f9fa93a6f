import { Loader } from "@mantine/core"
import { SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import { saveFile } from "@/lib/save-file"
import { IconButton } from "@/ui/button"
import { InOptionsPlace } from "@/ui/form/options-place"
import type { Download } from "./table-types"
import { lazyComponent } from "@/ui/lazy-component"
import { toast } from "@/ui/overlay/toast"
import { useAnchor } from "@/ui/overlay/use-anchor"
import type { ColumnChoice } from "./use-columns"
import type { FillChoice } from "./use-table-height"

const OptionsMenu = lazyComponent(() => import("./table-options-menu"))

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
  const { at, close, buttonProps } = useAnchor()
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
      <IconButton
        framed
        label={`Table options: ${label}`}
        icon={isMaking ? <Loader size={16} /> : <SlidersHorizontal size={16} />}
        aria-haspopup="menu"
        aria-busy={isMaking}
        {...buttonProps}
      />
      {at && (
        <OptionsMenu
          at={at}
          label={`Table options: ${label}`}
          onClose={close}
          columns={columns}
          fill={fill}
          onCopy={onCopy}
          onDownload={download && ((format) => void take(download, format))}
          isMaking={isMaking}
        />
      )}
      <span className="sr-only" role="status">
        {isMaking && "Creating the file"}
      </span>
    </InOptionsPlace>
  )
}
