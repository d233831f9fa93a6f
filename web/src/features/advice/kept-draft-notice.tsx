import { History } from "lucide-react"
import { dateTime, dayInIndia, time, today } from "@/lib/dates"
import { Button } from "@/ui/button"
import styles from "./advice.module.css"
import { type AdviceDraft, draft } from "./draft"

interface KeptDraftNoticeProps {
  advice: AdviceDraft
  onRestore: () => void
}

/** Offers what was set for this client before its code was changed. */
export function KeptDraftNotice({ advice, onRestore }: KeptDraftNoticeProps) {
  const { client, kept } = advice
  const found = client && kept[client.code]
  if (!found) return null
  const isOfToday = dayInIndia(new Date(found.editedAt)) === today()
  return (
    <div className={styles.kept} role="status">
      <History size={16} aria-hidden="true" />
      <p>Draft of {(isOfToday ? time : dateTime)(found.editedAt)} kept.</p>
      <Button onClick={onRestore}>Restore</Button>
      <Button kind="subtle" onClick={() => draft.dropKept(client.code)}>
        Discard
      </Button>
    </div>
  )
}
