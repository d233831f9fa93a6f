import { ChevronLeft, ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { IconButton } from "@/ui/button"
import { SideDrawer } from "./side-drawer"

interface DetailsDrawerProps<Row> {
  label: string
  title: ReactNode
  width: number
  /** What a row of the list is called, such as "client". */
  noun: string
  /** The rows of the list behind the drawer, to step through. */
  rows: readonly Row[]
  isShown: (row: Row) => boolean
  onStep: (row: Row) => void
  onClose: () => void
  children: ReactNode
}

/** The details of one row of a list, over the list's right side, with steps to the rows beside it. */
export function DetailsDrawer<Row>(props: DetailsDrawerProps<Row>) {
  const { label, title, width, noun, rows, isShown, onStep, onClose, children } = props
  const place = rows.findIndex(isShown)
  const previous = rows[place - 1]
  const next = place === -1 ? undefined : rows[place + 1]
  return (
    <SideDrawer
      label={label}
      heading={
        <h2 tabIndex={-1} data-autofocus>
          {title}
        </h2>
      }
      buttons={
        <>
          <IconButton
            label={`Previous ${noun}`}
            icon={<ChevronLeft size={16} />}
            disabled={previous === undefined}
            onClick={() => previous !== undefined && onStep(previous)}
          />
          <IconButton
            label={`Next ${noun}`}
            icon={<ChevronRight size={16} />}
            disabled={next === undefined}
            onClick={() => next !== undefined && onStep(next)}
          />
        </>
      }
      width={width}
      onClose={onClose}
    >
      {children}
    </SideDrawer>
  )
}
