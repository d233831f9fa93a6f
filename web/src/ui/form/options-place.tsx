import { createContext, type ReactNode, useContext } from "react"
import { createPortal } from "react-dom"
import styles from "@/ui/card.module.css"

interface Places {
  /** Where the options of a card's tables are shown: its toolbar, else its head; null when it has neither. */
  place: HTMLElement | null
  setToolbar: (element: HTMLElement | null) => void
}

export const OptionsPlaces = createContext<Places | null>(null)

/** The spot in a toolbar to which the card's tables bring their options. */
export function ToolbarOptions() {
  const places = useContext(OptionsPlaces)
  return <span ref={places?.setToolbar} className={styles.options} />
}

/** Shows its children in the card's toolbar or head, or here when there is none. */
export function InOptionsPlace({ children }: { children: ReactNode }) {
  const place = useContext(OptionsPlaces)?.place
  return place ? createPortal(children, place) : <div className={styles.optionsBar}>{children}</div>
}
