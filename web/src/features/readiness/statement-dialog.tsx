import { useQuery } from "@tanstack/react-query"
import { dateTime } from "@/lib/dates"
import { quantity } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Facts } from "@/ui/facts"
import { Modal } from "@/ui/overlay/modal"
import { Change, Money } from "@/ui/money"
import { ErrorNote, Loading } from "@/ui/states"
import { ConfirmEmpty } from "./confirm-empty"
import { outcomeWords } from "./problem-words"
import {
  type QuantityChange,
  type ReadinessRow,
  statementQuery,
  useAcceptMoney,
  useMarkSeen,
} from "./queries"
import styles from "./readiness.module.css"

interface StatementDialogProps {
  row: ReadinessRow
  onClose: () => void
}

/** The last broker statement of a client, and what needs attention. */
export function StatementDialog({ row, onClose }: StatementDialogProps) {
  const query = useQuery(statementQuery(row._id))
  const statement = query.data
  const unknown = statement?.lines.filter((line) => !line.isMapped) ?? []
  return (
    <Modal title={`Broker statement for ${row.name}`} isOpen onClose={onClose} width={640}>
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      {query.isPending && <Loading />}
      {statement && (
        <div className={styles.sections}>
          <Facts
            facts={[
              ["Last attempt", statement.outcome ? outcomeWords[statement.outcome] : "Never"],
              ["Last successful sync", statement.syncedAt ? dateTime(statement.syncedAt) : null],
              ["Own funds", <Money key="net" value={statement.net} />],
              ["Collateral of pledged shares", <Money key="pledge" value={statement.collateral} />],
            ]}
          />
          {statement.reason !== "" && <p className="loss">{statement.reason}</p>}
          {statement.outcome === "DOUBTED" && (
            <div className={styles.acts}>
              <ConfirmEmpty row={row} />
            </div>
          )}
          {statement.leftOut.length > 0 && (
            <section>
              <h3>Rows of the statement that were skipped</h3>
              {statement.leftOut.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </section>
          )}
          {statement.changes.length > 0 && (
            <section>
              <h3>Changes not explained by an order</h3>
              {statement.changes.map((change) => (
                <ChangeLine key={change._id} change={change} />
              ))}
            </section>
          )}
          {row.moneyDifference !== 0 && <MoneyLine row={row} />}
          {unknown.length > 0 && (
            <section>
              <h3>Unrecognised stocks (not counted in any total)</h3>
              {unknown.map((line) => (
                <div key={`${line.exchange}:${line.symbol}`} className={styles.item}>
                  <strong>
                    {line.symbol} · {line.exchange}
                  </strong>
                  <span>
                    {quantity(line.free + line.t1 + line.pledged)} shares, {line.isin || "no ISIN"}
                  </span>
                </div>
              ))}
            </section>
          )}
        </div>
      )}
    </Modal>
  )
}

function ChangeLine({ change }: { change: QuantityChange }) {
  const seen = useMarkSeen()
  return (
    <div className={styles.item}>
      <span className={styles.two}>
        <strong>
          {change.symbol}: {quantity(change.before)} to {quantity(change.after)}
        </strong>
        <small>
          {change.hint} Found {dateTime(change.foundAt)}.
        </small>
      </span>
      <Button
        isBusy={seen.isPending}
        aria-label={`Mark ${change.symbol} as seen`}
        onClick={() => seen.mutate(change._id, { onError: toastError })}
      >
        Mark as seen
      </Button>
    </div>
  )
}

function MoneyLine({ row }: { row: ReadinessRow }) {
  const accept = useAcceptMoney()
  return (
    <section>
      <h3>Cash not explained by Accounting or orders</h3>
      <div className={styles.item}>
        <span className={styles.two}>
          <Change value={row.moneyDifference} />
          <small>
            Our books: <Money value={row.moneyByBooks} />. Broker:{" "}
            <Money value={row.moneyAtBroker} />. Add the missing entries in Accounting, or accept
            the broker&apos;s figure.
          </small>
        </span>
        <Button
          isBusy={accept.isPending}
          onClick={() => accept.mutate(row._id, { onError: toastError })}
        >
          Accept the broker&apos;s figure
        </Button>
      </div>
    </section>
  )
}
