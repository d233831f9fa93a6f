import { useMutation, useQuery } from "@tanstack/react-query"
import { FileText, Receipt } from "lucide-react"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { rupees } from "@/lib/format"
import { saveFile } from "@/lib/save-file"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import type { InvoiceCell } from "./fee-columns"
import type { FeeDraft } from "./fee-drafts"
import { type FeeActs, FeeInput } from "./fee-input"
import styles from "./fees.module.css"
import { invoiceFile, invoiceOptionsQuery, MODES, useIssueInvoice } from "./invoice-queries"
import type { FeeRow } from "./queries"
import { RefundDialog } from "./refund-dialog"

/** What rows show of payment and invoice; null where the firm has never issued one. */
export function useInvoiceCell(clientId: string, acts: FeeActs, fees: FeeRow[]) {
  const { data: options } = useQuery(invoiceOptionsQuery)
  const [refunded, setRefunded] = useState<FeeRow | null>(null)
  const isOn = options?.isOn ?? false
  const cell: InvoiceCell = ({ fee, draft }) =>
    draft ? (
      <PaymentFields draft={draft} acts={acts} />
    ) : (
      fee && <FeeInvoice fee={fee} isOn={isOn} clientId={clientId} />
    )
  return {
    onRefund: setRefunded,
    cell: isOn || fees.some((fee) => fee.invoice) ? cell : null,
    dialogs: refunded && (
      <RefundDialog clientId={clientId} fee={refunded} onClose={() => setRefunded(null)} />
    ),
  }
}

/** How a fee that is marked paid was paid. */
function PaymentFields({ draft, acts }: { draft: FeeDraft; acts: FeeActs }) {
  if (draft.fee === null || draft.status !== "PAID") return null
  return (
    <div className={styles.payment}>
      <FeeInput name="modeOfPayment" draft={draft} acts={acts} />
      <FeeInput name="reference" draft={draft} acts={acts} />
    </div>
  )
}

interface FeeInvoiceProps {
  fee: FeeRow
  isOn: boolean
  clientId: string
}

function FeeInvoice({ fee, isOn, clientId }: FeeInvoiceProps) {
  const issue = useIssueInvoice(clientId)
  const { invoice } = fee
  if (invoice === null) {
    const canIssue = isOn && fee.status === "PAID" && !!fee.fees
    if (!canIssue) return null
    return (
      <Button
        kind="subtle"
        icon={<Receipt size={15} aria-hidden="true" />}
        isBusy={issue.isPending}
        onClick={() =>
          issue.mutate(
            { feeId: fee._id, version: fee.version, reference: "" },
            { onError: toastError },
          )
        }
      >
        Make invoice
      </Button>
    )
  }
  return (
    <div className={styles.papers}>
      <InvoiceLink id={invoice._id} number={invoice.number} />
      {fee.modeOfPayment && (
        <span className="muted">
          {MODES[fee.modeOfPayment]}
          {fee.reference && ` · ${fee.reference}`}
        </span>
      )}
      {invoice.creditNotes.map((note) => (
        <span key={note._id} className={styles.buttons}>
          <InvoiceLink id={note._id} number={note.number} />
          <span className="muted">{rupees(note.value)} back</span>
        </span>
      ))}
    </div>
  )
}

/** The number of an invoice or credit note; pressed, its PDF is saved. */
export function InvoiceLink({ id, number }: { id: string; number: string }) {
  const download = useMutation({
    mutationFn: () => invoiceFile(id),
    onSuccess: ({ content, name }) => saveFile(content, name),
    onError: (error) => toast.error(messageOf(error, "The PDF could not be created.")),
  })
  return (
    <Button
      kind="subtle"
      icon={<FileText size={15} aria-hidden="true" />}
      title="Download PDF"
      isBusy={download.isPending}
      onClick={() => download.mutate()}
    >
      {number}
    </Button>
  )
}
