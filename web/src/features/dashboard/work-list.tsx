import { useQuery } from "@tanstack/react-query"
import { ChevronRight, CircleCheck } from "lucide-react"
import { count } from "@/lib/format"
import { AppLink } from "@/ui/app-link"
import { Card } from "@/ui/card"
import { ErrorNote, Skeleton } from "@/ui/states"
import { LastDayLine, useLastDay } from "./last-day-line"
import styles from "./morning.module.css"
import { workQuery } from "./queries"
import { useFollowPrices } from "./use-follow-prices"

const LINES = 4

/** What there is to do: each line leads to the screen that lists just what it counts. */
export function WorkList() {
  const work = useQuery(workQuery)
  useFollowPrices(work)
  const lastDay = useLastDay()
  return (
    <Card title="To do today">
      {work.isError && !work.data && (
        <ErrorNote message="The work list could not be loaded." onRetry={work.refetch} />
      )}
      {work.isPending && (
        <div className={styles.lines}>
          {Array.from({ length: LINES }, (_, line) => (
            <div key={line} className={styles.ghost}>
              <Skeleton width="70%" />
            </div>
          ))}
        </div>
      )}
      {work.data?.length === 0 && (
        <p className={styles.calm}>
          <CircleCheck size={16} aria-hidden="true" /> Nothing needs your attention now.
        </p>
      )}
      {work.data && (work.data.length > 0 || lastDay) && (
        <ul className={styles.lines} aria-label="To do today">
          {work.data.map(({ kind, count: counted, text, label, to }) => (
            <li key={`${kind} ${to}`}>
              <AppLink to={to}>
                <strong>{count(counted)}</strong> <span className={styles.text}>{text}</span>{" "}
                <span className={styles.label}>
                  {label}
                  <ChevronRight size={14} aria-hidden="true" />
                </span>
              </AppLink>
            </li>
          ))}
          {lastDay && <LastDayLine lastDay={lastDay} />}
        </ul>
      )}
    </Card>
  )
}
