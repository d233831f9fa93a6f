import { useQuery } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { useEffect, useState } from "react"
import { useActKey } from "@/api/act-key"
import { offerApproval } from "@/api/approval"
import { useBeforeSend } from "@/api/before-send"
import { ApiError } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { dateTime } from "@/lib/dates"
import { count, rupees } from "@/lib/format"
import { readOwnDraft, saveTabDraft } from "@/lib/tab-draft"
import { noDisclosures, SendFields } from "@/parts/send-fields"
import { toastCentreError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { Notice } from "@/ui/notice"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { useSecond } from "@/ui/use-second"
import styles from "./book.module.css"
import { LeftOut } from "./left-out"
import { type ToSend, useSendRun } from "./queries"
import { optionWords } from "./run-options"
import type { Run } from "./types"
import { useRecompute } from "./use-recompute"

type Texts = Pick<ToSend, "rationale" | "disclosures">

/** The texts for the sending; this tab keeps them until the run is sent. */
function useTexts(run: Run) {
  const { data: me } = useQuery(signedInQuery)
  const owner = me?.email ?? ""
  const name = `book.${run._id}`
  const [texts, setTexts] = useState<Texts>(
    () =>
      (readOwnDraft(name, owner) as (Texts & { owner: string }) | null) ?? {
        rationale: run.rationale,
        disclosures: noDisclosures,
      },
  )
  useEffect(() => {
    if (owner !== "") saveTabDraft(name, { ...texts, owner })
  }, [name, owner, texts])
  return {
    texts,
    change: (change: Partial<Texts>) => setTexts((old) => ({ ...old, ...change })),
    discard: () => saveTabDraft(name, null),
  }
}

interface ReviewDialogProps {
  run: Run
  onClose: () => void
  /** Shows the clients that are left out, in the table. */
  onLeftOut: () => void
}

/** The last review before the batch is sent: how many clients, how much, and who is left out and why. */
export function ReviewDialog({ run, onClose, onLeftOut }: ReviewDialogProps) {
  const { texts, change, discard } = useTexts(run)
  const send = useSendRun(run._id)
  const { totals } = run
  const clients = `${count(totals.included)} ${totals.included === 1 ? "client" : "clients"}`
  const isOld = usePricesTooOld(run) || isRefusedAs(send.error, "prices_too_old")
  const recompute = useRecompute(run)
  const trimmed = { rationale: texts.rationale.trim(), disclosures: texts.disclosures }
  const before = useBeforeSend({ runId: run._id, ...trimmed })
  const sendAfterQuestion = useSendAfterQuestion(run, clients, send, () => {
    discard()
    onClose()
  })
  return (
    <Modal
      title="Review and send"
      isOpen
      onClose={send.isPending ? () => undefined : onClose}
      width={600}
    >
      <Screen>
        <RunFacts run={run} />
        {isOld && <OldPrices run={run} />}
        <LeftOut run={run} onShow={onLeftOut} />
        <SendFields
          rationale={texts.rationale}
          rationalePlaceholder="Why these trades? Shown in every client's letter"
          disclosures={texts.disclosures}
          before={before}
          here={`/home/models/book/${run._id}`}
          onRationale={(rationale) => change({ rationale })}
          onDisclosures={(disclosures) => change({ disclosures })}
          onRecompute={recompute.start}
          onClose={onClose}
        />
        <Actions>
          <Button onClick={onClose} disabled={send.isPending}>
            Cancel
          </Button>
          <Button
            kind="primary"
            isBusy={send.isPending}
            disabled={totals.included === 0 || isOld || !before.maySend}
            onClick={() =>
              void sendAfterQuestion({
                clients: totals.included,
                ...trimmed,
                acknowledged: before.acknowledged,
              })
            }
          >
            Send to {clients}
          </Button>
        </Actions>
      </Screen>
    </Modal>
  )
}

function useSendAfterQuestion(
  run: Run,
  clients: string,
  send: ReturnType<typeof useSendRun>,
  onSent: () => void,
) {
  const keyOf = useActKey()
  const { totals } = run
  return async (body: ToSend) => {
    const isSure = await confirm({
      title: `Send advice to ${clients}?`,
      text: `${count(totals.trades)} orders: ${rupees(totals.buyValue)} to buy, ${rupees(totals.sellValue)} to sell. Sent advice cannot be recalled.`,
      act: "Send",
    })
    if (!isSure) return
    send.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: onSent,
        onError: (error) => {
          const isOffered = offerApproval(error, { action: "RUN", runId: run._id, run: body })
          if (!isOffered) toastCentreError(error)
        },
      },
    )
  }
}

function RunFacts({ run }: { run: Run }) {
  const { totals } = run
  return (
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
          ["Prices as of", dateTime(run.pricedAt)],
        ]}
      />
    </div>
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
    <Notice
      role="alert"
      icon={<TriangleAlert size={16} />}
      actions={
        <Button isBusy={recompute.isPending} onClick={recompute.start}>
          Compute again
        </Button>
      }
    >
      The prices of {dateTime(run.pricedAt)} are too old to send. Compute again: clients you left
      out stay left out.
    </Notice>
  )
}
