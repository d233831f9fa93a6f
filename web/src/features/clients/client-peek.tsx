import { Popover } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import {
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react"
import { signedPercent, tone } from "@/lib/format"
import { Change, Money } from "@/ui/money"
import { Sparkline } from "@/ui/chart/sparkline"
import { Skeleton } from "@/ui/states"
import styles from "./client-peek.module.css"
import { type ClientRow, recentDaysQuery } from "./queries"

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
  const later = (next: Peeked | null, wait: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPeeked(next), wait)
  }
  const peekAt = (name: Element | null | undefined) => {
    const id = name?.getAttribute("data-peek")
    if (name && id) later({ id, anchor: name }, REST)
    else later(null, GRACE)
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
      onMouseLeave={() => later(null, GRACE)}
      onFocus={focus}
      onBlur={() => later(null, 0)}
    >
      {children}
      {peeked && client && <PeekCard client={client} anchor={peeked.anchor} />}
    </div>
  )
}

function PeekCard({ client, anchor }: { client: ClientRow; anchor: Element }) {
  const place = anchor.getBoundingClientRect()
  return (
    <Popover
      key={client._id}
      opened
      position="bottom-start"
      transitionProps={{ duration: 0 }}
      withRoles={false}
      closeOnClickOutside={false}
      // In the main part, where it belongs; fixed, so that the card around the table does not cut it.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <span
          style={{
            position: "fixed",
            pointerEvents: "none",
            left: place.left,
            top: place.top,
            width: place.width,
            height: place.height,
          }}
        />
      </Popover.Target>
      <Popover.Dropdown role="tooltip" data-peek-card>
        <div className={styles.card}>
          <p className={styles.name}>
            {client.name} <span className="muted">{client.clientId}</span>
          </p>
          <p className={styles.value}>
            <Money value={client.totalPortfolio} />
          </p>
          <dl className={styles.facts}>
            <div>
              <dt>P&amp;L</dt>
              <dd>
                <Change
                  value={client.netPnL}
                  percentage={client.netPnLPercentage}
                  isSincePurchase={client.isSincePurchase}
                />
              </dd>
            </div>
            <div>
              <dt>Cash</dt>
              <dd>
                <Money value={client.NetCashAmount} />
              </dd>
            </div>
          </dl>
          <Month clientId={client._id} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The shape of the last thirty days, and what they returned. */
function Month({ clientId }: { clientId: string }) {
  const days = useQuery(recentDaysQuery(clientId))
  if (days.isPending) return <Skeleton width={220} height={26} />
  const first = days.data?.[0]
  const last = days.data?.at(-1)
  if (!days.data || !first || !last || days.data.length < 2) return null
  const gained =
    first.twrIndex !== null && last.twrIndex !== null && first.twrIndex > 0
      ? (last.twrIndex / first.twrIndex - 1) * 100
      : null
  return (
    <p className={styles.month}>
      <Sparkline values={days.data.map((day) => day.value)} width={120} />
      <span>
        <span className={tone(gained)}>{signedPercent(gained)}</span> in 30 days
      </span>
    </p>
  )
}
