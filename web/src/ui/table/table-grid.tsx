import { ArrowDown, ArrowUp, ChevronsUpDown, Ellipsis } from "lucide-react"
import { Fragment, type KeyboardEvent, memo, type MouseEvent, useId, useRef, useState } from "react"
import { termOf } from "@/lib/terms"
import { IconButton } from "@/ui/button"
import { useAmountsHidden } from "@/ui/money"
import type { OpenMenu } from "./row-menu"
import { Skeleton } from "@/ui/states"
import { TermMark } from "@/ui/term-mark"
import { OpenButton } from "./open-button"
import { type Column, groupStart, type TableProps } from "./table-types"
import styles from "./table.module.css"
import { useRowWindow } from "./use-row-window"

export interface ViewProps<Row> extends TableProps<Row> {
  /** Scrolls inside itself above this; CSS. */
  height: string
  openMenu: OpenMenu<Row> | null
  onMenu: (open: OpenMenu<Row>) => void
}

const pressed = "a, button, input, select, textarea, label, [role='menuitem']"

export function TableGrid<Row>(props: ViewProps<Row>) {
  const { label, columns, rows, height, skeletonRows = 5, totals, menu, rowHeight = 0 } = props
  const { details, groupOf, onOpen, rowName, isMuted, isGroupStart, openMenu, onMenu } = props
  const frame = useRef<HTMLDivElement>(null)
  const number = rows?.length ?? 0
  const { first, end } = useRowWindow(frame, number, props.rowHeight)
  const isWhole = first === 0 && end === number
  return (
    <div
      ref={frame}
      className={styles.scroll}
      style={{ maxHeight: height }}
      role="region"
      aria-label={`${label}, table`}
      // A region that scrolls must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table
        className={styles.table}
        data-dense={props.isDense}
        // Those who count the rows hear of all of them; the head is the first.
        aria-rowcount={isWhole ? undefined : number + 1}
      >
        <thead>
          <tr>
            {details && (
              <th className={styles.openCell} data-part="menu">
                <span className="sr-only">Details</span>
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            {menu && (
              <th className={styles.menuCell} data-part="menu">
                {props.menuTitle ?? <span className="sr-only">Actions</span>}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Gap height={first * rowHeight} />}
          {rows?.slice(first, end).map((row, place, drawn) => (
            <Fragment key={props.rowKey(row)}>
              <Group title={groupStart(drawn, place, groupOf)} cells={cellsIn(props)} />
              <TableRow
                {...{ row, columns, onOpen, rowName, isMuted, isGroupStart, details }}
                place={isWhole ? undefined : first + place + 2}
                onMenu={menu && onMenu}
                isMenuOpen={openMenu?.row === row}
              />
            </Fragment>
          )) ??
            Array.from({ length: skeletonRows }, (_, index) => (
              <tr key={index}>
                {details && <td data-part="menu" />}
                {columns.map((column) => (
                  <td key={column.title} data-align={column.align}>
                    <Skeleton width="70%" />
                  </td>
                ))}
                {menu && <td data-part="menu" />}
              </tr>
            ))}
          {end < number && <Gap height={(number - end) * rowHeight} />}
        </tbody>
        {totals && rows && (
          <tfoot>
            <tr>
              {details && <td data-part="menu" />}
              {columns.map((column, index) => (
                <td key={column.title} data-align={column.align}>
                  {totals[column.title] ?? (index === 0 ? "Total" : null)}
                </td>
              ))}
              {menu && <td data-part="menu" />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** Takes the height of the rows that are not drawn. */
const Gap = ({ height }: { height: number }) => <tr aria-hidden="true" style={{ height }} />

/** The cells of a row, with those of its buttons. */
const cellsIn = <Row,>({ columns, menu, details }: ViewProps<Row>) =>
  columns.length + (menu ? 1 : 0) + (details ? 1 : 0)

const Group = ({ title, cells }: { title: string | undefined; cells: number }) =>
  title !== undefined && (
    <tr data-part="group">
      <th scope="rowgroup" colSpan={cells}>
        {title}
      </th>
    </tr>
  )

type RowParts = "columns" | "onOpen" | "rowName" | "isMuted" | "isGroupStart" | "details"

interface RowProps<Row> extends Pick<ViewProps<Row>, RowParts> {
  row: Row
  /** Counted from the head on, where not every row is drawn. */
  place: number | undefined
  /** Opens the row's menu; undefined where rows have none. */
  onMenu: ((open: OpenMenu<Row>) => void) | undefined
  isMenuOpen: boolean
}

function Cells<Row>(props: RowProps<Row>) {
  const { row, place, columns, onOpen, rowName, isMuted, isGroupStart, details, onMenu } = props
  // The cells format amounts.
  useAmountsHidden()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const toggle = () => setIsOpen(!isOpen)
  const act = onOpen ? () => onOpen(row) : details && toggle
  const open = (event: MouseEvent | KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(pressed)) return
    if (window.getSelection()?.type === "Range") return
    act?.()
  }
  const opening = {
    ...(act && { "data-opens": true, onClick: open }),
    // The button of the details has the focus where there is one.
    ...(onOpen && {
      tabIndex: 0,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === "Enter" && event.target === event.currentTarget) onOpen(row)
      },
    }),
  }
  const cells = (
    <tr
      {...opening}
      aria-rowindex={place}
      data-muted={isMuted?.(row)}
      data-starts={isGroupStart?.(row)}
    >
      {details && (
        <td className={styles.openCell} data-part="menu">
          <OpenButton name={rowName?.(row)} id={id} isOpen={isOpen} onToggle={toggle} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.title} data-align={column.align} data-pin={column.pin}>
          {column.cell(row)}
        </td>
      ))}
      {onMenu && (
        <td className={styles.menuCell} data-part="menu">
          <IconButton
            label={`Actions for ${rowName?.(row) ?? "this row"}`}
            icon={<Ellipsis size={16} />}
            aria-haspopup="menu"
            aria-expanded={props.isMenuOpen}
            onClick={(event) => onMenu({ row, button: event.currentTarget })}
          />
        </td>
      )}
    </tr>
  )
  if (!details || !isOpen) return cells
  return (
    <>
      {cells}
      <tr id={id} data-part="details">
        <td colSpan={columns.length + (onMenu ? 2 : 1)}>{details(row)}</td>
      </tr>
    </>
  )
}

// A row is drawn again only when something of it changed: a menu or a new page of rows does not draw the others.
const TableRow = memo(Cells) as typeof Cells

interface HeadProps<Row> {
  column: Column<Row>
  sort?: string
  onSort?: (sort: string) => void
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { title, sortKey, align, width, hideTitle, pin } = column
  // The mark of a term is no part of the head's name.
  const name = termOf(title) && title
  if (sortKey === undefined || !onSort) {
    return (
      <th scope="col" data-align={align} data-pin={pin} style={{ width }} aria-label={name}>
        {hideTitle ? <span className="sr-only">{title}</span> : column.head}
        {!hideTitle && !column.head && (
          <>
            {title}
            <TermMark label={title} />
          </>
        )}
      </th>
    )
  }
  const isUp = sort === sortKey
  const isDown = sort === `-${sortKey}`
  const Arrow = isUp ? ArrowUp : isDown ? ArrowDown : ChevronsUpDown
  // Numbers are asked for largest first, words from A.
  const first = align === "right" ? `-${sortKey}` : sortKey
  const next = isUp ? `-${sortKey}` : isDown ? sortKey : first
  return (
    <th
      scope="col"
      data-align={align}
      data-pin={pin}
      style={{ width }}
      aria-label={name}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {title}
        <Arrow size={13} aria-hidden="true" data-on={isUp || isDown} />
      </button>
      <TermMark label={title} />
    </th>
  )
}
