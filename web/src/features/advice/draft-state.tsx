import { time } from "@/lib/dates"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import type { AdviceDraft } from "./draft"
import styles from "./advice.module.css"
import { useSaved } from "./draft-saving"

interface DraftStateProps {
  advice: AdviceDraft
  onDiscard: () => void
}

/** Whether the draft is saved, and the button that drops it; nothing while nothing was changed. */
export function DraftState({ advice, onDiscard }: DraftStateProps) {
  const { client, editedAt } = advice
  const saved = useSaved(client?.id)
  if (!client || editedAt === null) return null
  const discard = async () => {
    const isSure = await confirm({
      title: `Discard the draft for ${client.name}?`,
      text: "Targets, options and rationale will be lost. The holdings are loaded again.",
      act: "Discard",
    })
    if (isSure) onDiscard()
  }
  return (
    <span className={styles.draftState}>
      <span className="quiet" role="status">
        {saved?.hasFailed
          ? "Draft saved in this tab only"
          : saved?.at === editedAt
            ? `Draft saved ${time(saved.at)}`
            : "Saving draft…"}
      </span>
      <Button kind="subtle" onClick={() => void discard()}>
        Discard draft
      </Button>
    </span>
  )
}
