import { Download, RotateCcw, ShieldCheck } from "lucide-react"
import { date, dateTime } from "@/lib/dates"
import { count, percent, price, quantity, rupees } from "@/lib/format"
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

const numberOf = ({ stocks }: SentAdvice, type: "BUY" | "SELL") =>
  stocks.filter((stock) => stock.type === type).length

interface ColumnOptions {
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

/** The columns of the specification for the stocks of one advice, with the price and the value of the order. */
export const advisedStockColumns: Column<AdvisedStock>[] = [
  { title: "Stock", cell: (stock) => <strong>{stock.symbol}</strong>, card: "title" },
  { title: "Transaction Type", cell: (stock) => <StatusPill word={stock.type} />, card: "note" },
  { title: "Quantity", cell: (stock) => quantity(stock.quantity), align: "right", card: "aside" },
  { title: "Price", cell: (stock) => price(stock.ltp), align: "right" },
  {
    title: "Order Value",
    cell: (stock) =>
      rupees(stock.type === "SELL" ? stock.valueToBeFreed : stock.additionalInvestmentValue),
    align: "right",
    card: "main",
  },
  {
    title: "% Allocation",
    cell: (stock) => percent(stock.possibleAllocationPercentage),
    align: "right",
  },
  {
    title: "Investment Amount",
    cell: (stock) => rupees(stock.currentInvestmentValue),
    align: "right",
  },
  { title: "Order Type", cell: (stock) => stock.product },
  // The specification spells it like this.
  { title: "Exchnage", cell: (stock) => stock.exchange },
  {
    title: "Reason",
    cell: (stock) => (
      <span className={styles.why}>
        {stock.message}
        {stock.note !== "" && <em>{stock.note}</em>}
      </span>
    ),
  },
]
