import { Download, RotateCcw, ShieldCheck } from "lucide-react"
import { date, dateTime } from "@/lib/dates"
import { count, missing, percent, rupees } from "@/lib/format"
import type { FollowUpRow } from "@/parts/follow-up"
import { AdviceStatePill } from "@/parts/line-status"
import { Button, IconButton } from "@/ui/button"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./advice-history.module.css"
import type { SentAdvice } from "./advice-history-queries"

interface DeliveryProps {
  advice: SentAdvice
  /** Undefined for those who do not send advice. */
  onResend?: (advice: SentAdvice) => void
  isBusy: boolean
}

function Delivery({ advice, onResend, isBusy }: DeliveryProps) {
  const { delivery } = advice
  if (delivery === null) return <span className="muted">Not mailed</span>
  return (
    <span className={styles.delivery} title={dateTime(delivery.at)}>
      <StatusPill word={delivery.status} />
      {delivery.error && (
        <span className={styles.reason} title={delivery.error}>
          {delivery.error}
        </span>
      )}
      {delivery.status === "WRITTEN" && (
        <span className={styles.reason}>In the outbox only, not mailed</span>
      )}
      {onResend && (delivery.status === "FAILED" || delivery.status === "WRITTEN") && (
        <Button kind="subtle" isBusy={isBusy} onClick={() => onResend(advice)}>
          Resend
        </Button>
      )}
    </span>
  )
}

function Followed({ row }: { row: FollowUpRow | undefined }) {
  if (!row) return missing
  return (
    <span className={styles.followed}>
      <AdviceStatePill state={row.state} />
      {row.followedPercentage !== null && <span>{percent(row.followedPercentage)}</span>}
    </span>
  )
}

const numberOf = ({ stocks }: SentAdvice, type: "BUY" | "SELL") =>
  stocks.filter((stock) => stock.type === type).length

interface ColumnOptions {
  /** What became of an advice; undefined while that loads, and where it is not known. */
  followUpOf: (advice: SentAdvice) => FollowUpRow | undefined
  onLetter: (advice: SentAdvice) => void
  onVerify: (advice: SentAdvice) => void
  /** These two are undefined for those who do not send advice. */
  onResend?: (advice: SentAdvice) => void
  onUseAgain?: (advice: SentAdvice) => void
  /** The advice whose mail is being queued again. */
  resending: string | null
  /** The advice whose letter is being downloaded. */
  busy: string | null
}

/** The columns of the list of advices. */
export const adviceHistoryColumns = ({
  followUpOf,
  onLetter,
  onVerify,
  onResend,
  onUseAgain,
  resending,
  busy,
}: ColumnOptions): Column<SentAdvice>[] => [
  {
    title: "Date(DD/MM/YYYY)",
    cell: (advice) => <strong title={dateTime(advice.createdAt)}>{date(advice.createdAt)}</strong>,
    card: "title",
  },
  {
    title: "Orders",
    cell: (advice) =>
      `${count(advice.stocks.length)}: ${numberOf(advice, "SELL")} SELL, ${numberOf(advice, "BUY")} BUY`,
    card: "main",
  },
  { title: "To sell", cell: (advice) => rupees(advice.sellValue), align: "right" },
  { title: "To buy", cell: (advice) => rupees(advice.buyValue), align: "right" },
  { title: "Followed", cell: (advice) => <Followed row={followUpOf(advice)} />, card: "note" },
  {
    title: "Delivery",
    cell: (advice) => (
      <Delivery advice={advice} onResend={onResend} isBusy={resending === advice._id} />
    ),
    card: "note",
  },
  {
    title: "Letter",
    cell: (advice) => (
      <IconButton
        label={`Download the letter of ${date(advice.createdAt)}`}
        icon={<Download size={15} />}
        aria-busy={busy === advice._id}
        disabled={busy === advice._id}
        onClick={() => onLetter(advice)}
      />
    ),
    align: "center",
    width: 64,
    card: "aside",
  },
  {
    title: "Record",
    cell: (advice) => (
      <IconButton
        label={`Verify the record of ${date(advice.createdAt)}`}
        icon={<ShieldCheck size={15} />}
        onClick={() => onVerify(advice)}
      />
    ),
    align: "center",
    width: 64,
    card: "aside",
  },
  ...(onUseAgain
    ? [
        {
          title: "Use again",
          hideTitle: true,
          cell: (advice: SentAdvice) => (
            <Button
              kind="subtle"
              icon={<RotateCcw size={14} />}
              aria-label={`Use again: advice of ${date(advice.createdAt)}`}
              onClick={() => onUseAgain(advice)}
            >
              Use again
            </Button>
          ),
          align: "right" as const,
        },
      ]
    : []),
]
