import { useState } from "react"
import { recall, remember } from "@/lib/remember"
import type { TableProps } from "./table-types"

/** The most that the specification lets a table take, in pixels. */
const MOST = 450
/** The header, a card's head and its foot. */
const AROUND = 200

export interface FillChoice {
  isFilling: boolean
  toggle: () => void
}

/** How high a table may be, as CSS; that it fills the window is remembered under its name. */
export function useTableHeight<Row>({ name, maxHeight = MOST, around = AROUND }: TableProps<Row>) {
  const key = `fills-window.${name ?? ""}`
  const [isFilling, setIsFilling] = useState(() => name !== undefined && recall(key) === true)
  const fill: FillChoice = {
    isFilling,
    toggle: () => {
      setIsFilling(!isFilling)
      remember(key, isFilling ? null : true)
    },
  }
  return {
    fill,
    height: isFilling ? `max(${maxHeight}px, calc(100dvh - ${around}px))` : `${maxHeight}px`,
  }
}
