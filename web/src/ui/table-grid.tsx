import { ArrowDown, ArrowUp, ChevronsUpDown, Ellipsis } from "lucide-react"
import type { KeyboardEvent, MouseEvent } from "react"
import { IconButton } from "./button"
import type { OpenMenu } from "./row-menu"
import { Skeleton } from "./states"
import type { Column, TableProps } from "./table-types"
import styles from "./table.module.css"

export interface ViewProps<Row> extends TableProps<Row> {
  openMenu: OpenMenu<Row> | null
  onMenu: (open: OpenMenu<Row>) => void
}

const pressed = "a, button, input, select, textarea, label, [role='menuitem']"

export function TableGrid<Row>(props: ViewProps<Row>) {
  const { label, columns, rows, maxHeight, skeletonRows = 5, totals, menu } = props
  return (
    <div
      className={styles.scroll}
      style={{ maxHeight }}
      role="region"
      aria-label={`${label}, table`}
      // A region that scrolls must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className={styles.table} data-dense={props.isDense}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            {menu && (
              <th className={styles.menuCell}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => <TableRow key={props.rowKey(row)} row={row} {...props} />) ??
            Array.from({ length: skeletonRows }, (_, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column.title} data-align={column.align}>
                    <Skeleton width="70%" />
                  </td>
                ))}
                {menu && <td />}
              </tr>
            ))}
        </tbody>
        {totals && rows && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={column.title} data-align={column.align}>
                  {totals[column.title] ?? (index === 0 ? "Total" : null)}
                </td>
              ))}
              {menu && <td />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function TableRow<Row>({ row, ...props }: ViewProps<Row> & { row: Row }) {
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
    <tr {...opening} data-muted={isMuted?.(row)} data-starts={isGroupStart?.(row)}>
      {columns.map((column) => (
        <td key={column.title} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
      {menu && (
        <td className={styles.menuCell}>
          <IconButton
            label={`Actions for ${rowName?.(row) ?? "this row"}`}
            icon={<Ellipsis size={16} aria-hidden="true" />}
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
        {hideTitle ? <span className="sr-only">{title}</span> : title}
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
