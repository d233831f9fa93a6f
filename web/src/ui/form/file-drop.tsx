import { FileUp } from "lucide-react"
import { type DragEvent, useId, useState } from "react"
import styles from "./file-drop.module.css"

interface FileDropProps {
  label: string
  /** File endings, as `.csv,.xlsx`. */
  accept: string
  hint?: string
  disabled?: boolean
  onFile: (file: File) => void
  /** Called with a sentence when the file's ending is not among the accepted ones. */
  onRefused?: (message: string) => void
}

/** A place to drop a file on; it is a file field too, so the keyboard and a phone can choose one. */
export function FileDrop(props: FileDropProps) {
  const { label, accept, hint, disabled = false, onFile, onRefused } = props
  const [isOver, setIsOver] = useState(false)
  const id = useId()
  const endings = accept.split(",").map((ending) => ending.trim().toLowerCase())

  const take = (file: File | undefined) => {
    if (!file) return
    if (endings.some((ending) => file.name.toLowerCase().endsWith(ending))) onFile(file)
    else onRefused?.(`Choose a file that ends in ${endings.join(" or ")}.`)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (!disabled) take(event.dataTransfer.files[0])
  }
  return (
    <label
      className={styles.drop}
      data-over={isOver}
      data-disabled={disabled}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileUp size={20} />
      <span className={styles.label}>{label}</span>
      {hint !== undefined && (
        <span className={styles.hint} id={id}>
          {hint}
        </span>
      )}
      <input
        type="file"
        className="sr-only"
        accept={accept}
        disabled={disabled}
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={(event) => {
          take(event.currentTarget.files?.[0])
          // The same file may be chosen again after it was mended.
          event.currentTarget.value = ""
        }}
      />
    </label>
  )
}
