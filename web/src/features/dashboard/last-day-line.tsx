import { useQuery } from "@tanstack/react-query"
import { ChevronRight } from "lucide-react"
import { addDays, date, today } from "@/lib/dates"
import { basisPoints, count } from "@/lib/format"
import { lastDayQuery } from "@/parts/follow-up"
import { useFreshFollowUp } from "@/parts/use-fresh-follow-up"
import { AppLink } from "@/ui/app-link"
import styles from "./morning.module.css"

/** How much of the last business day's advice was acted on; nothing when none was sent. */
export function useLastDay() {
  useFreshFollowUp()
  const { data } = useQuery(lastDayQuery)
  return data && data.sent > 0 ? data : null
}

type LastDay = NonNullable<ReturnType<typeof useLastDay>>

/** One line of the work list; it leads to the advice of that day on the board. */
export function LastDayLine({ lastDay }: { lastDay: LastDay }) {
  const { day, sent, acted, medianSlippageBps } = lastDay
  const whose = day === addDays(today(), -1) ? "yesterday’s advice" : `the advice of ${date(day)}`
  const median = medianSlippageBps === null ? "" : `; median ${basisPoints(medianSlippageBps)}`
  return (
    <li>
      <AppLink to={`/home/follow-up?from=${day}&to=${day}`}>
        <strong className={styles.ofAll}>
          {count(acted)} of {count(sent)}
        </strong>{" "}
        <span className={styles.text}>
          acted on {whose}
          {median}
        </span>{" "}
        <span className={styles.label}>
          See Follow-up
          <ChevronRight size={14} aria-hidden="true" />
        </span>
      </AppLink>
    </li>
  )
}
