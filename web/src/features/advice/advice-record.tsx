import { useMutation, useQuery } from "@tanstack/react-query"
import { CircleCheck, CircleMinus, CircleX, Download } from "lucide-react"
import { messageOf } from "@/api/client"
import { isAdmin } from "@/api/session"
import { date, dateTime } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { Button } from "@/ui/button"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import {
  type SentAdvice,
  sealedFile,
  verifiedAdvice,
  type VerifiedAdvice,
} from "./advice-history-queries"
import styles from "./advice-record.module.css"

interface AdviceRecordProps {
  advice: SentAdvice | null
  onClose: () => void
}

/** Verifies now, point by point, whether an advice is unchanged since it was sealed. */
export function AdviceRecord({ advice, onClose }: AdviceRecordProps) {
  return (
    <Modal
      title={advice ? `Record of ${date(advice.createdAt)}` : ""}
      isOpen={advice !== null}
      onClose={onClose}
      width={560}
    >
      {advice && <Record adviceId={advice._id} />}
    </Modal>
  )
}

function Record({ adviceId }: { adviceId: string }) {
  const query = useQuery({
    queryKey: ["advice", adviceId, "verify"],
    queryFn: () => verifiedAdvice(adviceId),
    // Verified again each time the dialog opens.
    gcTime: 0,
    staleTime: 0,
  })
  const file = useMutation({
    mutationFn: () => sealedFile(adviceId),
    onSuccess: ({ content, name }) => saveFile(content, name),
    onError: (error) => toast.error(messageOf(error, "The record could not be downloaded.")),
  })
  if (query.isPending) return <Loading text="Verifying..." />
  if (query.isError) {
    const message = messageOf(query.error, "The record could not be verified.")
    return <ErrorNote message={message} onRetry={query.refetch} />
  }
  return (
    <div className={styles.record}>
      <Verdict verified={query.data} />
      <ul className={styles.checks}>
        {query.data.checks.map(({ name, holds, message }) => (
          <li key={name} data-holds={String(holds)}>
            {holds === null ? (
              <CircleMinus size={16} aria-label="Not checked" />
            ) : holds ? (
              <CircleCheck size={16} aria-label="Passed" />
            ) : (
              <CircleX size={16} aria-label="Failed" />
            )}
            <span>
              <strong>{name}</strong> {message}
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <div>
          <dt>Key</dt>
          <dd>{query.data.fingerprint}</dd>
        </div>
        <div>
          <dt>Seal</dt>
          <dd>{query.data.hash}</dd>
        </div>
      </dl>
      {isAdmin() && (
        <Button isBusy={file.isPending} icon={<Download size={15} />} onClick={() => file.mutate()}>
          Download record
        </Button>
      )}
    </div>
  )
}

function Verdict({ verified }: { verified: VerifiedAdvice }) {
  const sealed = `Sealed ${dateTime(verified.sealedAt)}`
  return (
    <p className={styles.verdict} data-holds={verified.holds} role="status">
      <strong>
        {verified.holds
          ? "The advice is unchanged since it was sealed."
          : "The advice has changed since it was sealed."}
      </strong>
      <span>
        {verified.sealedAs === "KNOWN"
          ? `${sealed}, after it was sent, with the details known then.`
          : `${sealed}, when it was sent.`}
      </span>
    </p>
  )
}
