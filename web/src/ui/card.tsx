import { type ReactNode, useId, useMemo, useState } from "react"
import styles from "./card.module.css"
import { StickyAction } from "./sticky-action"
import { OptionsPlaces, ToolbarOptions } from "@/ui/form/options-place"

interface CardProps {
  /** Heading of the section; it names the card's region. */
  title?: ReactNode
  /** Beside the heading, in quiet ink. */
  note?: ReactNode
  /** At the right of the heading. */
  actions?: ReactNode
  /** Leaves the padding to the content, as tables want it. */
  flush?: boolean
  children: ReactNode
}

/** A section on its own surface. */
export function Card({ title, note, actions, flush = false, children }: CardProps) {
  const id = useId()
  const [head, setHead] = useState<HTMLElement | null>(null)
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null)
  const places = useMemo(() => ({ place: toolbar ?? head, setToolbar }), [toolbar, head])
  return (
    <section className={styles.card} data-flush={flush} aria-labelledby={title ? id : undefined}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {note !== undefined && <span className={styles.note}>{note}</span>}
          <div className={styles.actions}>
            {actions}
            <span ref={setHead} className={styles.options} />
          </div>
        </div>
      )}
      <OptionsPlaces value={places}>{children}</OptionsPlaces>
    </section>
  )
}

/** Toolbar over a table: search left, filters after it, the one primary action at the right. */
export function Toolbar({ children, action }: { children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.toolbar}>
      <div className={styles.tools}>
        {children}
        <ToolbarOptions />
      </div>
      {action !== undefined && <StickyAction>{action}</StickyAction>}
    </div>
  )
}

/** Cards of figures side by side, as many as fit. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}

/** The column of sections that makes a screen. */
export function Screen({ children }: { children: ReactNode }) {
  return <div className={styles.screen}>{children}</div>
}
