import { History } from "lucide-react"
import { dateTime, dayInIndia, time, today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Notice } from "@/ui/notice"
import { type AdviceDraft, draft } from "./draft"

interface EarlierDraftNoticeProps {
  advice: AdviceDraft
  onRestore: () => void
}

/** Offers the draft written for this client before the code was changed. */
export function EarlierDraftNotice({ advice, onRestore }: EarlierDraftNoticeProps) {
  const { client, earlier } = advice
  const saved = client && earlier[client.code]
  if (!saved) return null
  const isOfToday = dayInIndia(new Date(saved.editedAt)) === today()
  return (
    <Notice
      tone="info"
      icon={<History size={16} />}
      actions={
        <>
          <Button onClick={onRestore}>Restore</Button>
          <Button kind="subtle" onClick={() => draft.dropEarlier(client.code)}>
            Discard
          </Button>
        </>
      }
    >
      There is a saved draft from {(isOfToday ? time : dateTime)(saved.editedAt)}.
    </Notice>
  )
}
