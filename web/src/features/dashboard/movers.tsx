import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { chooseClient } from "@/api/session"
import { date } from "@/lib/dates"
import { Card } from "@/ui/card"
import { Change } from "@/ui/money"
import { StaleNote } from "@/parts/stale-note"
import { ErrorNote, Skeleton } from "@/ui/states"
import styles from "./morning.module.css"
import { type Mover, moversQuery } from "./queries"
import { useFollowPrices } from "./use-follow-prices"

const LINES = 5

/** The clients whose value moved most since the last daily close; a name opens the portfolio. */
export function Movers() {
  const movers = useQuery(moversQuery)
  useFollowPrices(movers)
  const { data } = movers
  const hasMoved = data != null && data.rising.length + data.falling.length > 0
  return (
    <Card title="What changed today" note={data && `since the close of ${date(data.closedOn)}`}>
      {movers.isError && data === undefined && (
        <ErrorNote message="The changes could not be loaded." onRetry={movers.refetch} />
      )}
      {movers.isPending && (
        <div className={styles.columns}>
          <Ghosts />
          <Ghosts />
        </div>
      )}
      {data === null && <p className={styles.calm}>Changes appear after the first daily close.</p>}
      {data && !hasMoved && <p className={styles.calm}>No client&rsquo;s value has changed.</p>}
      {data && hasMoved && (
        <div className={styles.columns}>
          <Ranked title="Risen most" movers={data.rising} none="No client has risen." />
          <Ranked title="Fallen most" movers={data.falling} none="No client has fallen." />
        </div>
      )}
      {data && data.leftOut > 0 && (
        <p className={styles.leftOut}>
          {data.leftOut === 1 ? "1 client is" : `${data.leftOut} clients are`} left out: a split or
          bonus is suspected.
        </p>
      )}
    </Card>
  )
}

interface RankedProps {
  title: string
  movers: Mover[]
  none: string
}

function Ranked({ title, movers, none }: RankedProps) {
  return (
    <section>
      <h3>{title}</h3>
      {movers.length === 0 && <p className={styles.none}>{none}</p>}
      <ul className={styles.lines} aria-label={title}>
        {movers.map((mover) => (
          <li key={mover._id}>
            <Link
              to="/home/client/portfolio"
              onClick={() => chooseClient(mover._id, mover.clientId)}
            >
              <span className={styles.text}>
                <span className={styles.name}>{mover.name}</span> <small>{mover.clientId}</small>
                <StaleNote at={mover.staleSince} />
              </span>{" "}
              <Change value={mover.change} percentage={mover.changePercentage} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Ghosts() {
  return (
    <div className={styles.lines}>
      {Array.from({ length: LINES }, (_, line) => (
        <div key={line} className={styles.ghost}>
          <Skeleton width="80%" />
        </div>
      ))}
    </div>
  )
}
