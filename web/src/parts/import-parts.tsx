import type { ReactNode } from "react"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { FileDrop } from "@/ui/form/file-drop"
import styles from "./import.module.css"

/** The place for the file, before it is checked. */
export function ImportDrop(props: {
  accept: string
  hint: string
  onFile: (file: File) => void
  onRefused: (fault: string) => void
}) {
  return (
    <div className={styles.drop}>
      <FileDrop label="Drop a file here, or choose one" {...props} />
    </div>
  )
}

/** A part of a report under its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.section}>
    <h3>{title}</h3>
    {children}
  </div>
)

interface TalliesProps<Key extends string> {
  /** The title of each count, in their order. */
  titles: Readonly<Partial<Record<Key, string>>>
  counts: Record<Key, number>
}

/** How many rows of a file were added, changed, refused and so on. */
export function Tallies<Key extends string>({ titles, counts }: TalliesProps<Key>) {
  return (
    <dl className={styles.counts}>
      {(Object.entries(titles) as [Key, string][]).map(([key, title]) => (
        <div key={key} data-none={counts[key] === 0}>
          <dt>{title}</dt>
          <dd className={key === "refused" && counts[key] > 0 ? "loss" : undefined}>
            {count(counts[key])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface RefusedLinesProps {
  title?: string
  /** The first of them. */
  rows: { line: number; text: string; reason: string }[]
  total: number
}

/** The lines of a file that were left out, each with its reason. */
export function RefusedLines({ title = "Refused", rows, total }: RefusedLinesProps) {
  if (rows.length === 0) return null
  return (
    <Section
      title={
        rows.length < total ? `${title}, the first ${count(rows.length)} of ${count(total)}` : title
      }
    >
      <ul className={styles.lines}>
        {rows.map((row) => (
          <li key={`${row.line} ${row.reason}`}>
            <span className="muted">Line {row.line}</span>
            <span>
              {row.reason}
              <code>{row.text}</code>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface ImportFootProps {
  /** At the left. */
  children?: ReactNode
  /** Applied already: only Done is left. */
  isApplied: boolean
  /** Whether the checked file may be applied; undefined when there is nothing to apply. */
  canApply?: boolean
  isBusy: boolean
  onApply: () => void
  onClose: () => void
}

/** The end of an import dialog: what to do with the checked file. */
export function ImportFoot(props: ImportFootProps) {
  const { children, isApplied, canApply, isBusy, onApply, onClose } = props
  return (
    <div className={styles.foot}>
      {children}
      {!isApplied && canApply !== undefined && (
        <Button kind="primary" disabled={!canApply} isBusy={isBusy} onClick={onApply}>
          Apply
        </Button>
      )}
      {isApplied && (
        <Button kind="primary" data-autofocus onClick={onClose}>
          Done
        </Button>
      )}
    </div>
  )
}
