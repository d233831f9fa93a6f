import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft, Ban, Ellipsis, RefreshCw, Send } from "lucide-react"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { age, dateTime } from "@/lib/dates"
import { count, missing, percent } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { ButtonMenu } from "@/ui/overlay/menu"
import { toastCentre } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import { useSecond } from "@/ui/use-second"
import { useCancelRun } from "./book-queries"
import styles from "./models.module.css"
import { RunState } from "./run-columns"
import { optionWords } from "./run-options"
import type { Run } from "./types"
import { useRecompute } from "./use-recompute"

/** What the run is of, and what may be done with it. */
export function RunHead({ run, onReview }: { run: Run; onReview: () => void }) {
  const navigate = useNavigate()
  const isAdmin = useSession("role") === "ADMIN"
  const isPhone = useIsPhone()
  const review = (
    <Button
      kind="primary"
      icon={<Send size={15} aria-hidden="true" />}
      disabled={run.totals.included === 0}
      title={run.totals.included === 0 ? "No client is included." : undefined}
      onClick={onReview}
    >
      Review and send
    </Button>
  )
  return (
    <div className={styles.titleRow}>
      <Button
        icon={<ArrowLeft size={15} aria-hidden="true" />}
        onClick={() => void navigate({ to: "/home/models/book" })}
      >
        All rebalances
      </Button>
      <dl className={styles.subject}>
        <div>
          <dt>Model</dt>
          <dd>
            <Link to="/home/models/$modelId" params={{ modelId: run.modelId }}>
              {run.modelName}
            </Link>{" "}
            <span className={styles.quiet}>version {run.versionNumber}</span>
          </dd>
        </div>
        <div>
          <dt>Prices of</dt>
          <dd>
            <Prices run={run} />
          </dd>
        </div>
        <div>
          <dt>Tolerance</dt>
          <dd>{percent(run.tolerancePercentage)}</dd>
        </div>
        <div>
          <dt>Outside the model</dt>
          <dd>{run.outside === "KEEP" ? "Left alone" : "Sold"}</dd>
        </div>
        <div>
          <dt>Options</dt>
          <dd>{optionWords(run)}</dd>
        </div>
        <div>
          <dt>{run.sentBy === null ? "Begun by" : "Sent by"}</dt>
          <dd title={dateTime(run.sentAt ?? run.createdAt)}>{run.sentBy ?? run.author}</dd>
        </div>
      </dl>
      <RunState run={run} />
      {isAdmin && (
        <div className={styles.acts}>
          <RunMenu run={run} />
          {run.state === "REVIEW" &&
            (isPhone ? <div className={styles.stuck}>{review}</div> : review)}
        </div>
      )}
    </div>
  )
}

const oldestOf = (run: Run) =>
  run.oldestPriceAt === null
    ? undefined
    : `The oldest, ${run.oldestPriceSymbol ?? missing}, is of ${dateTime(run.oldestPriceAt)}`

/** One set of prices for everybody; while the run waits for its sending their age matters. */
function Prices({ run }: { run: Run }) {
  const now = useSecond()
  if (run.pricedAt === null) return missing
  if (run.state !== "REVIEW") return <span title={oldestOf(run)}>{dateTime(run.pricedAt)}</span>
  const isOld = run.pricesGoodUntil !== null && new Date(run.pricesGoodUntil) < now
  return (
    <span title={oldestOf(run)} className={isOld ? "warn" : undefined}>
      {age(run.pricedAt, now)}
      {isOld && ", too old to be sent"}
    </span>
  )
}

function RunMenu({ run }: { run: Run }) {
  const recompute = useRecompute(run)
  const stop = useStop(run)
  const isOpen = run.state === "REVIEW" || run.state === "COMPUTING"
  const entries = [
    {
      label: "Compute again",
      icon: <RefreshCw size={15} aria-hidden="true" />,
      disabled: run.state === "SENDING" || recompute.isPending,
      onSelect: recompute.start,
    },
    {
      label: run.state === "SENDING" ? "Stop the sending" : "Cancel this rebalance",
      icon: <Ban size={15} aria-hidden="true" />,
      isDanger: true,
      disabled: !isOpen && run.state !== "SENDING",
      onSelect: () => void stop(),
    },
  ]
  return (
    <ButtonMenu
      label="More"
      button={<IconButton framed label="More" icon={<Ellipsis size={16} aria-hidden="true" />} />}
      entries={entries}
    />
  )
}

/** Ends a run: before the sending nothing goes out; in the middle of it, what is left does not. */
export function useStop(run: Run) {
  const cancel = useCancelRun(run._id)
  return async () => {
    const isSending = run.state === "SENDING"
    const isSure = await confirm({
      title: isSending ? "Stop the sending?" : "Cancel this rebalance?",
      text: isSending
        ? `${count(run.sending.sent)} of ${count(run.sending.total)} are sent and stay sent. The others get nothing.`
        : "Nothing is sent to anybody.",
      act: isSending ? "Stop" : "Cancel rebalance",
      isDanger: true,
    })
    if (!isSure) return
    cancel.mutate(undefined, {
      onError: (error) => toastCentre.error(messageOf(error, "Something went wrong")),
    })
  }
}
