import { Ellipsis } from "lucide-react"
import { Fragment, type ReactNode, startTransition, useEffect, useState } from "react"
import { IconButton } from "@/ui/button"
import { Skeleton } from "@/ui/states"
import type { ViewProps } from "./table-grid"
import { OpenButton } from "./open-button"
import { cardRole, type Column, groupStart } from "./table-types"
import styles from "./table.module.css"

/** The phone's view of a table: name and main number, then code, status and change. */
export function TableCards<Row>(props: ViewProps<Row>) {
  const { label, rows, columns, totals, skeletonRows = 5, renderCard } = props
  const drawn = useFirstRows(rows)
  return (
    <ul className={styles.cards} aria-label={label}>
      {drawn?.map((row, index) => (
        <Fragment key={props.rowKey(row)}>
          <Group title={groupStart(drawn, index, props.groupOf)} />
          <li data-muted={props.isMuted?.(row)} data-starts={props.isGroupStart?.(row)}>
            {renderCard ? renderCard(row) : <Card row={row} {...props} />}
          </li>
        </Fragment>
      )) ??
        Array.from({ length: skeletonRows }, (_, index) => (
          <li key={index} className={styles.ghost}>
            <Skeleton width="60%" />
            <Skeleton width="40%" height={12} />
          </li>
        ))}
      {totals && rows && (
        <li className={styles.card}>
          <strong>Total</strong>
          <Details
            lines={columns.flatMap((column) => {
              const total = totals[column.title]
              return total === undefined ? [] : [{ title: column.title, shown: total }]
            })}
          />
        </li>
      )}
    </ul>
  )
}

/** As many cards as a phone shows at once. */
const FIRST = 12
/** Milliseconds after which the cards below the screen are drawn. */
const REST_AFTER = 250

/** The rows to draw: those in sight first, the rest a moment later, so that the first picture comes sooner. */
function useFirstRows<Row>(rows: Row[] | undefined) {
  const [isWhole, setIsWhole] = useState(false)
  const isLong = rows !== undefined && rows.length > FIRST
  useEffect(() => {
    if (!isLong) return undefined
    const timer = setTimeout(() => startTransition(() => setIsWhole(true)), REST_AFTER)
    return () => clearTimeout(timer)
  }, [isLong])
  return isWhole || !isLong ? rows : rows.slice(0, FIRST)
}

const Group = ({ title }: { title: string | undefined }) =>
  title !== undefined && <li className={styles.group}>{title}</li>

function Card<Row>({ row, ...props }: ViewProps<Row> & { row: Row }) {
  const { columns, onOpen, menu, rowName, details } = props
  const [isOpen, setIsOpen] = useState(false)
  const inRole = (role: Column<Row>["card"]) =>
    columns.filter((column, index) => cardRole(column, index, columns) === role)
  const shown = (role: Column<Row>["card"]) =>
    inRole(role).map((column) => <span key={column.title}>{column.cell(row)}</span>)
  const [notes, asides, rest] = [shown("note"), shown("aside"), inRole("rest")]
  const name = rowName?.(row) ?? "this row"
  const face = (
    <>
      <span className={styles.line}>
        <span className={styles.cardTitle}>{shown("title")}</span>
        <span className={styles.cardMain}>{shown("main")}</span>
      </span>
      {notes.length + asides.length > 0 && (
        <span className={styles.line}>
          <span className={styles.cardNotes}>{notes}</span>
          <span className={styles.cardAside}>{asides}</span>
        </span>
      )}
    </>
  )
  const more = (rest.length > 0 || details) && (
    <OpenButton name={rowName?.(row)} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
  )
  return (
    <div className={styles.card}>
      <div className={styles.cardRow}>
        {onOpen ? (
          <button type="button" className={styles.face} onClick={() => onOpen(row)}>
            {face}
          </button>
        ) : (
          <div className={styles.face}>{face}</div>
        )}
        {more}
        {menu && (
          <IconButton
            label={`Actions for ${name}`}
            icon={<Ellipsis size={16} />}
            aria-haspopup="menu"
            aria-expanded={props.openMenu?.row === row}
            onClick={(event) => props.onMenu({ row, button: event.currentTarget })}
          />
        )}
      </div>
      {isOpen && rest.length > 0 && (
        <Details lines={rest.map((column) => ({ title: column.title, shown: column.cell(row) }))} />
      )}
      {isOpen && details?.(row)}
    </div>
  )
}

function Details({ lines }: { lines: { title: string; shown: ReactNode }[] }) {
  return (
    <dl className={styles.details}>
      {lines.map((line) => (
        <div key={line.title}>
          <dt>{line.title}</dt>
          <dd>{line.shown}</dd>
        </div>
      ))}
    </dl>
  )
}
