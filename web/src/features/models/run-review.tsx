import { useQuery } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useActKey } from "@/api/act-key"
import { useBeforeSend } from "@/api/before-send"
import { ApiError, messageOf } from "@/api/client"
import { firmDetailsQuery, signedInQuery } from "@/api/shared-queries"
import { dateTime } from "@/lib/dates"
import { count, rupees } from "@/lib/format"
import { Button } from "@/ui/button"
import { CheckList } from "@/ui/form/check-list"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Facts } from "@/ui/facts"
import { Modal } from "@/ui/overlay/modal"
import { Money } from "@/ui/money"
import { DisclosureFields, RationaleField } from "@/parts/send-words"
import { ErrorNote } from "@/ui/states"
import { toastCentre } from "@/ui/overlay/toast"
import { useSecond } from "@/ui/use-second"
import { type ToSend, useSendRun } from "./book-queries"
import { drop, keep, readKept } from "./kept"
import { LeftOut } from "./left-out"
import styles from "./models.module.css"
import { optionWords } from "./run-options"
import type { Run } from "./types"
import { useRecompute } from "./use-recompute"

type Written = Pick<ToSend, "rationale" | "disclosures">

/** What was written for the sending; it lives in this tab until it is sent. */
function useWritten(run: Run) {
  const { data: me } = useQuery(signedInQuery)
  const owner = me?.email ?? ""
  const name = `book.${run._id}`
  const [written, setWritten] = useState<Written>(
    () =>
      (readKept(name, owner) as (Written & { owner: string }) | null) ?? {
        rationale: run.rationale,
        disclosures: { holdings: "", conflicts: "", compensation: "" },
      },
  )
  useEffect(() => {
    if (owner !== "") keep(name, { ...written, owner })
  }, [name, owner, written])
  return {
    written,
    write: (change: Partial<Written>) => setWritten((old) => ({ ...old, ...change })),
    forget: () => drop(name),
  }
}

interface ReviewDialogProps {
  run: Run
  onClose: () => void
  /** Shows those who are left out, in the table. */
  onLeftOut: () => void
}

/** The last look before the batch goes out: how many, how much, who gets nothing, and why. */
export function ReviewDialog({ run, onClose, onLeftOut }: ReviewDialogProps) {
  const { written, write, forget } = useWritten(run)
  const [isOpen, setIsOpen] = useState(Object.values(written.disclosures).some(Boolean))
  const send = useSendRun(run._id)
  const keyOf = useActKey()
  const { totals } = run
  const clients = `${count(totals.included)} ${totals.included === 1 ? "client" : "clients"}`
  const isOld = usePricesTooOld(run) || isRefusedAs(send.error, "prices_too_old")
  const { data: firm } = useQuery(firmDetailsQuery)
  const rationaleField = useRef<HTMLDivElement>(null)
  const recompute = useRecompute(run)
  const said = { rationale: written.rationale.trim(), disclosures: written.disclosures }
  const before = useBeforeSend({ runId: run._id, ...said })

  const ask = async () => {
    const isSure = await confirm({
      title: `Send advice to ${clients}?`,
      text: `${count(totals.trades)} orders: ${rupees(totals.buyValue)} to buy, ${rupees(totals.sellValue)} to sell. What is sent cannot be taken back.`,
      act: "Send",
    })
    if (!isSure) return
    const body = { clients: totals.included, ...said, acknowledged: before.acknowledged }
    send.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: () => {
          forget()
          onClose()
        },
        onError: (error) => toastCentre.error(messageOf(error, "Something went wrong")),
      },
    )
  }
  return (
    <Modal
      title="Review and send"
      isOpen
      onClose={send.isPending ? () => undefined : onClose}
      width={600}
    >
      <div className={styles.form}>
        <div className={styles.facts}>
          <Facts
            facts={[
              ["Model", `${run.modelName}, version ${run.versionNumber}`],
              ["Clients", `${count(totals.included)} of ${count(totals.clients)}`],
              ["Options", optionWords(run)],
              ["Orders", count(totals.trades)],
              ["To buy", <Money key="buy" value={totals.buyValue} />],
              ["To sell", <Money key="sell" value={totals.sellValue} />],
              ["Charges", <Money key="charges" value={totals.estimatedCharges} />],
              ["Prices of", dateTime(run.pricedAt)],
            ]}
          />
        </div>
        {isOld && <OldPrices run={run} />}
        <LeftOut run={run} onShow={onLeftOut} />
        <RationaleField
          ref={rationaleField}
          value={written.rationale}
          placeholder="Why these trades: every client reads it in the letter"
          choices={firm?.rationales ?? []}
          onChange={(rationale) => write({ rationale })}
        />
        <DisclosureFields
          value={written.disclosures}
          isOpen={isOpen}
          onOpen={setIsOpen}
          onChange={(disclosures) => write({ disclosures })}
        />
        {before.error && (
          <ErrorNote
            message={messageOf(before.error, "Something went wrong")}
            onRetry={before.retry}
          />
        )}
        <CheckList
          checks={before.checks}
          isRead={before.isRead}
          onRead={before.setIsRead}
          here={`/home/models/book/${run._id}`}
          acts={{
            rationale: () => rationaleField.current?.querySelector("textarea")?.focus(),
            price_age: recompute.start,
            unsettled: onClose,
            disclosures: () => setIsOpen(true),
          }}
        />
        <Actions>
          <Button onClick={onClose} disabled={send.isPending}>
            Cancel
          </Button>
          <Button
            kind="primary"
            isBusy={send.isPending}
            disabled={totals.included === 0 || isOld || !before.maySend}
            onClick={() => void ask()}
          >
            Send to {clients}
          </Button>
        </Actions>
      </div>
    </Modal>
  )
}

const isRefusedAs = (error: unknown, code: string) =>
  error instanceof ApiError && error.code === code

function usePricesTooOld(run: Run) {
  const now = useSecond()
  return run.pricesGoodUntil !== null && new Date(run.pricesGoodUntil) < now
}

/** Says that the prices are too old, and offers to compute again. */
function OldPrices({ run }: { run: Run }) {
  const recompute = useRecompute(run)
  return (
    <div className={styles.notice} role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>
        The prices were read {dateTime(run.pricedAt)} and are too old to be sent. Computed again,
        who is left out by hand stays left out.
      </p>
      <Button isBusy={recompute.isPending} onClick={recompute.start}>
        Compute again
      </Button>
    </div>
  )
}
