import { date, dateTime } from "@/lib/dates"
import { basisPoints, missing, percent, rupees, tradingTime } from "@/lib/format"
import type { Execution } from "@/parts/follow-up"
import { AdviceStatePill } from "@/parts/line-status"
import { adviceGap } from "@/parts/shortfall-gap"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import styles from "./follow-up.module.css"

const answerOf = (execution: Execution) =>
  execution.acknowledgedAt
    ? `Confirmed as read ${dateTime(execution.acknowledgedAt)}`
    : execution.readAt
      ? `Opened ${dateTime(execution.readAt)}`
      : "Not opened"

/** The state in one line, then every figure of the advice. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { shortfall, reminders } = execution
  const gap = adviceGap(execution)
  return (
    <>
      <div className={styles.verdict}>
        <AdviceStatePill state={execution.state} />
        <span>
          Sent {dateTime(execution.sentAt)} · window {execution.isOver ? "ended" : "ends"}{" "}
          {date(execution.windowEndsOn)}
        </span>
      </div>
      <Facts
        facts={[
          ["Followed %", percent(execution.followedPercentage)],
          ["Advised", <Money key="advised" value={execution.advisedValue} />],
          ["Traded", <Money key="traded" value={execution.filledValue} />],
          [
            "Implementation shortfall",
            shortfall ? (
              <span key="shortfall">
                <Money value={shortfall.amount} />{" "}
                <span className="quiet">{basisPoints(shortfall.bps)}</span>
              </span>
            ) : (
              missing
            ),
          ],
          ["Due to price", rupees(shortfall?.price)],
          ["Due to shares not traded", rupees(shortfall?.notTraded)],
          ["Due to charges", rupees(shortfall?.charges)],
          ["Time to Act", tradingTime(execution.minutesToFirstFill)],
          ["Time to 90%", tradingTime(execution.minutesToNinety)],
          ["Client’s page", answerOf(execution)],
          [
            "Reminders",
            reminders.length > 0 ? reminders.map(({ sentAt }) => date(sentAt)).join(", ") : "None",
          ],
        ]}
      />
      {gap !== null && <p className={styles.none}>{gap}</p>}
    </>
  )
}
