import {
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react"
import { lazyComponent } from "@/ui/lazy-component"
import type { ClientRow } from "./queries"

const PeekCard = lazyComponent(() => import("./peek-card"))

/** How long the pointer rests on a name before the card opens, and may be off both before it closes. */
const REST = 300
const GRACE = 150

interface PeekAreaProps {
  clients: ClientRow[]
  /** A table in which names bear `data-peek` with the client's id. */
  children: ReactNode
}

interface Peeked {
  id: string
  anchor: Element
}

/** Resting on a client's name, or on the client's row by keyboard, shows what the client is worth. One card serves all rows. */
export function PeekArea({ clients, children }: PeekAreaProps) {
  const [peeked, setPeeked] = useState<Peeked | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const peekAfter = (next: Peeked | null, wait: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPeeked(next), wait)
  }
  const peekAt = (name: Element | null | undefined) => {
    const id = name?.getAttribute("data-peek")
    if (name && id) peekAfter({ id, anchor: name }, REST)
    else peekAfter(null, GRACE)
  }
  const hover = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return
    if (target.closest("[data-peek-card]")) clearTimeout(timer.current)
    else peekAt(target.closest("[data-peek]"))
  }
  const focus = ({ target }: FocusEvent) => {
    if (target.matches("tr:focus-visible")) peekAt(target.querySelector("[data-peek]"))
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!peeked) return
    const close = () => setPeeked(null)
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close()
    // The card is placed at the name; scrolling closes it.
    window.addEventListener("scroll", close, { capture: true, passive: true })
    document.addEventListener("keydown", onKey)
    return () => {
      window.removeEventListener("scroll", close, { capture: true })
      document.removeEventListener("keydown", onKey)
    }
  }, [peeked])

  const client = clients.find((each) => each._id === peeked?.id)
  return (
    <div
      role="presentation"
      onMouseOver={hover}
      onMouseLeave={() => peekAfter(null, GRACE)}
      onFocus={focus}
      onBlur={() => peekAfter(null, 0)}
    >
      {children}
      {peeked && client && <PeekCard key={client._id} client={client} anchor={peeked.anchor} />}
    </div>
  )
}
