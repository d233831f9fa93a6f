import { type RefObject, useEffect, useState } from "react"

/** Above this many rows only those in sight are drawn. */
const WINDOWED_ABOVE = 100
/** Rows that are drawn beyond the edges, so that none is missed while one scrolls. */
const BEYOND = 20
/** Before anything is measured. */
const AT_FIRST = 60

interface RowWindow {
  first: number
  /** One past the last. */
  end: number
}

/** Which rows of a scrolling frame are drawn: all of them, unless they are many and all of one height. */
export function useRowWindow(
  frame: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number | undefined,
): RowWindow {
  const isWindowed = rowHeight !== undefined && rows > WINDOWED_ABOVE
  const [range, setRange] = useState<RowWindow>({ first: 0, end: AT_FIRST })
  useEffect(() => {
    const element = frame.current
    if (!isWindowed || !element) return
    let waiting = 0
    const look = () => {
      waiting = 0
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - BEYOND)
      const seen = Math.ceil(element.clientHeight / rowHeight) + 2 * BEYOND
      const end = first + Math.max(AT_FIRST, seen)
      setRange((old) => (old.first === first && old.end === end ? old : { first, end }))
    }
    const later = () => {
      if (waiting === 0) waiting = requestAnimationFrame(look)
    }
    look()
    element.addEventListener("scroll", later, { passive: true })
    window.addEventListener("resize", later)
    return () => {
      cancelAnimationFrame(waiting)
      element.removeEventListener("scroll", later)
      window.removeEventListener("resize", later)
    }
  }, [frame, isWindowed, rows, rowHeight])
  if (!isWindowed) return { first: 0, end: rows }
  return { first: Math.min(range.first, rows), end: Math.min(range.end, rows) }
}
