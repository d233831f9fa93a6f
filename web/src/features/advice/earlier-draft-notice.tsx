import { History } from "lucide-react"
import { date, dateTime, dayInIndia, time, today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Notice } from "@/ui/notice"
import { type AdviceDraft, draft } from "./draft"

interface EarlierDraftNoticeProps {
  advice: AdviceDraft
  onRestore: () => void
  onDrop: (code: string) => void
}

/** Offers the draft that was written for this client before, in this tab or on another device. */
export function EarlierDraftNotice({ advice, onRestore, onDrop }: EarlierDraftNoticeProps) {
  const { client, earlier } = advice
  const saved = client && earlier[client.code]
  if (!saved) return null
  const isOfToday = dayInIndia(new Date(saved.editedAt)) === today()
  const at = (isOfToday ? time : dateTime)(saved.editedAt)
  return (
    <Notice
      tone="info"
      icon={<History size={16} />}
      actions={
        <>
          <Button onClick={onRestore}>Restore</Button>
          <Button kind="subtle" onClick={() => onDrop(client.code)}>
            Discard
          </Button>
        </>
      }
    >
      {saved.followUpSentAt === undefined
        ? `There is a saved draft from ${at}.`
        : `What is left of the advice of ${date(saved.followUpSentAt)} was drafted ${at}.`}
    </Notice>
  )
}

/** Says what the client bought and sold since the restored draft was written. */
export function HoldingsNotice({ advice }: { advice: AdviceDraft }) {
  if (advice.holdingsChange === null) return null
  return (
    <Notice
      icon={<History size={16} />}
      actions={<Button onClick={() => draft.change({ holdingsChange: null })}>OK</Button>}
    >
      The holdings changed since this draft was written. {advice.holdingsChange}
    </Notice>
  )
}
