import { ArrowDown, ArrowUp, ChevronsUpDown, Ellipsis } from "lucide-react"
import { type KeyboardEvent, type MouseEvent, useRef } from "react"
import { IconButton } from "@/ui/button"
import type { OpenMenu } from "./row-menu"
import { Skeleton } from "@/ui/states"
import type { Column, TableProps } from "./table-types"
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
          {rows
            ?.slice(first, end)
            .map((row, place) => (
              <TableRow
                key={props.rowKey(row)}
                row={row}
                place={isWhole ? undefined : first + place + 2}
                {...props}
              />
            )) ??
            Array.from({ length: skeletonRows }, (_, index) => (
              <tr key={index}>
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

interface RowProps<Row> extends ViewProps<Row> {
  row: Row
  /** Counted from the head on, where not every row is drawn. */
  place: number | undefined
}

function TableRow<Row>({ row, place, ...props }: RowProps<Row>) {
  const { columns, onOpen, menu, rowName, isMuted, isGroupStart } = props
  const open = (event: MouseEvent | KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(pressed)) return
    if (window.getSelection()?.type === "Range") return
    onOpen?.(row)
  }
  const opening = onOpen && {
    tabIndex: 0,
    "data-opens": true,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && event.target === event.currentTarget) onOpen(row)
    },
  }
  return (
    <tr
      {...opening}
      aria-rowindex={place}
      data-muted={isMuted?.(row)}
      data-starts={isGroupStart?.(row)}
    >
      {columns.map((column) => (
        <td key={column.title} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
      {menu && (
        <td className={styles.menuCell} data-part="menu">
          <IconButton
            label={`Actions for ${rowName?.(row) ?? "this row"}`}
            icon={<Ellipsis size={16} />}
            aria-haspopup="menu"
            aria-expanded={props.openMenu?.row === row}
            onClick={(event) => props.onMenu({ row, button: event.currentTarget })}
          />
        </td>
      )}
    </tr>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sort?: string
  onSort?: (sort: string) => void
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { title, sortKey, align, width, hideTitle } = column
  if (sortKey === undefined || !onSort) {
    return (
      <th scope="col" data-align={align} style={{ width }}>
        {hideTitle ? <span className="sr-only">{title}</span> : (column.head ?? title)}
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
      style={{ width }}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {title}
        <Arrow size={13} aria-hidden="true" data-on={isUp || isDown} />
      </button>
    </th>
  )
}
