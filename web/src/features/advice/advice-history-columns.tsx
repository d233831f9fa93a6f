import { Download, ShieldCheck } from "lucide-react"
import { date, dateTime } from "@/lib/dates"
import { percent, quantity, rupees } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./advice-history.module.css"
import type { AdvisedStock, SentAdvice } from "./advice-history-queries"

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

interface ColumnOptions {
  /** Keys of the first row of each advice, which shows the delivery and the actions. */
  first: ReadonlySet<string>
  onLetter: (advice: SentAdvice) => void
  onVerify: (advice: SentAdvice) => void
  onResend?: (advice: SentAdvice) => void
  /** The advice whose mail is being queued again. */
  resending: string | null
  /** The advice whose letter is being downloaded. */
  busy: string | null
  isPhone: boolean
}

/** The columns of the specification, and the delivery of each advice in its first row. */
export const adviceHistoryColumns = ({
  first,
  onLetter,
  onVerify,
  onResend,
  resending,
  busy,
  isPhone,
}: ColumnOptions): Column<AdvisedStock>[] => [
  {
    title: "Date(DD/MM/YYYY)",
    cell: (stock) => (
      <span
        className={first.has(stock.key) ? undefined : "muted"}
        title={dateTime(stock.advice.createdAt)}
      >
        {date(stock.advice.createdAt)}
      </span>
    ),
    card: "note",
  },
  { title: "Stock", cell: (stock) => <strong>{stock.symbol}</strong>, card: "title" },
  { title: "Transaction Type", cell: (stock) => <StatusPill word={stock.type} />, card: "note" },
  { title: "Quantity", cell: (stock) => quantity(stock.quantity), align: "right", card: "aside" },
  {
    title: "% Allocation",
    cell: (stock) => percent(stock.possibleAllocationPercentage),
    align: "right",
  },
  {
    title: "Investment Amount",
    cell: (stock) => rupees(stock.currentInvestmentValue),
    align: "right",
    card: "main",
  },
  { title: "Order Type", cell: (stock) => stock.product },
  // The specification spells it like this.
  { title: "Exchnage", cell: (stock) => stock.exchange },
  {
    title: "Delivery",
    cell: (stock) =>
      first.has(stock.key) && (
        <Delivery
          advice={stock.advice}
          onResend={onResend}
          isBusy={resending === stock.advice._id}
        />
      ),
    card: "note",
  },
  {
    title: "Letter",
    cell: (stock) =>
      // On a phone each card needs the letter.
      (isPhone || first.has(stock.key)) && (
        <IconButton
          label={`Download the letter of ${date(stock.advice.createdAt)}`}
          icon={<Download size={15} />}
          aria-busy={busy === stock.advice._id}
          disabled={busy === stock.advice._id}
          onClick={() => onLetter(stock.advice)}
        />
      ),
    align: "center",
    width: 64,
  },
  {
    title: "Record",
    cell: (stock) =>
      (isPhone || first.has(stock.key)) && (
        <IconButton
          label={`Verify the record of ${date(stock.advice.createdAt)}`}
          icon={<ShieldCheck size={15} />}
          onClick={() => onVerify(stock.advice)}
        />
      ),
    align: "center",
    width: 64,
  },
]
