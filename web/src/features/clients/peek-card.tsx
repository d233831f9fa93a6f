import { Popover } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { signedPercent, tone } from "@/lib/format"
import { Change, Money } from "@/ui/money"
import { AnchorBox } from "@/ui/overlay/anchor-box"
import { Sparkline } from "@/ui/chart/sparkline"
import { Skeleton } from "@/ui/states"
import styles from "./client-peek.module.css"
import { type ClientRow, recentDaysQuery } from "./queries"

/** What a client is worth, at the client's name. */
export default function PeekCard({ client, anchor }: { client: ClientRow; anchor: Element }) {
  return (
    <Popover
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
        <AnchorBox of={anchor} />
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
