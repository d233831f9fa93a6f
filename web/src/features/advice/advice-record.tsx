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

/** Whether an advice is as it was sealed when it was sent, looked at now, point by point. */
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
  const found = useQuery({
    queryKey: ["advice", adviceId, "verify"],
    queryFn: () => verifiedAdvice(adviceId),
    // Looked at anew each time: an answer from before says nothing of now.
    gcTime: 0,
    staleTime: 0,
  })
  const file = useMutation({
    mutationFn: () => sealedFile(adviceId),
    onSuccess: ({ content, name }) => saveFile(content, name),
    onError: (error) => toast.error(messageOf(error, "The record could not be downloaded.")),
  })
  if (found.isPending) return <Loading text="Verifying..." />
  if (found.isError) {
    const message = messageOf(found.error, "The record could not be verified.")
    return <ErrorNote message={message} onRetry={found.refetch} />
  }
  return (
    <div className={styles.record}>
      <Verdict found={found.data} />
      <ul className={styles.checks}>
        {found.data.checks.map(({ name, holds, message }) => (
          <li key={name} data-holds={String(holds)}>
            {holds === null ? (
              <CircleMinus size={16} aria-label="Not looked at" />
            ) : holds ? (
              <CircleCheck size={16} aria-label="Holds" />
            ) : (
              <CircleX size={16} aria-label="Does not hold" />
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
          <dd>{found.data.fingerprint}</dd>
        </div>
        <div>
          <dt>Seal</dt>
          <dd>{found.data.hash}</dd>
        </div>
      </dl>
      {isAdmin() && (
        <Button
          isBusy={file.isPending}
          icon={<Download size={15} aria-hidden="true" />}
          onClick={() => file.mutate()}
        >
          Download record
        </Button>
      )}
    </div>
  )
}

function Verdict({ found }: { found: VerifiedAdvice }) {
  const sealed = `Sealed ${dateTime(found.sealedAt)}`
  return (
    <p className={styles.verdict} data-holds={found.holds} role="status">
      <strong>
        {found.holds ? "The advice is as it was sealed." : "The advice is not as it was sealed."}
      </strong>
      <span>
        {found.sealedAs === "KNOWN"
          ? `${sealed}, after it was sent, as far as it was known.`
          : `${sealed}, when it was sent.`}
      </span>
    </p>
  )
}
