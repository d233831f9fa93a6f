import { saveFile } from "@/lib/save-file"
import { dateTime } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import {
  evidenceFile,
  type EvidenceRow,
  type ObligationShown,
  usePrepareFile,
  useRecordPrepared,
} from "./queries"
import styles from "./obligations.module.css"

/** What the obligation asks for, in the words of the version in force. */
export const askedOf = ({ versions, ruleText }: ObligationShown) =>
  versions.find((version) => version.ruleText === ruleText)?.evidence ?? ""

/** Has the product make the file of an instance. */
export function PrepareButton({ id, instance }: { id: string; instance: string }) {
  const prepare = usePrepareFile(id)
  const make = () =>
    prepare.mutate(instance, {
      onSuccess: () => toast.success("File made. Record it once you have checked it."),
      onError: toastError,
    })
  return (
    <Button disabled={prepare.isPending} onClick={make}>
      Make the file
    </Button>
  )
}

/** A piece of evidence, or a file that the product made and that somebody may record. */
export function EvidenceItem({ row, asked }: { row: EvidenceRow; asked: string }) {
  const record = useRecordPrepared()
  const isPrepared = row.kind === "PREPARED"
  const keep = async () => {
    const isSure = await confirm({
      title: "Record as evidence?",
      text: `This obligation asks for: ${asked}. Record this file as its evidence, and the obligation is done.`,
      act: "Record",
    })
    if (!isSure) return
    record.mutate(row._id, {
      onSuccess: () => toast.success("Evidence recorded"),
      onError: toastError,
    })
  }
  const take = () => {
    evidenceFile(row._id)
      .then(({ content }) => saveFile(content, row.fileName))
      .catch(toastError)
  }
  return (
    <div className={styles.evidence}>
      <span>
        {row.note}
        {row.name !== "" && ` (${row.name})`}
        {row.fileName !== "" && (
          <Button kind="subtle" onClick={take}>
            {row.fileName}
          </Button>
        )}
      </span>
      <small>
        {isPrepared ? "Made, not recorded as evidence," : "Recorded"} {dateTime(row.recordedAt)}{" "}
        {row.recordedBy !== null && `by ${row.recordedBy}`} · proof {row.proof.slice(0, 12)}
      </small>
      {isPrepared && (
        <Button disabled={record.isPending} onClick={keep}>
          Record as evidence
        </Button>
      )}
    </div>
  )
}
