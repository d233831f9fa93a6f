import { FilePen } from "lucide-react"
import { useNavigate } from "@tanstack/react-router"
import { dateTime } from "@/lib/dates"
import { type Execution, noteWords } from "@/parts/follow-up"
import { Button } from "@/ui/button"
import { Notice } from "@/ui/notice"

/** What became of the follow-up when the window ended, and the way to the caller's own draft. */
export function FollowUpDraft({ execution }: { execution: Execution }) {
  const navigate = useNavigate()
  const { followUp, hasOwnDraft, clientCode } = execution
  const open = hasOwnDraft && (
    <Button
      icon={<FilePen size={15} />}
      onClick={() => void navigate({ to: "/home/advice", state: { username: clientCode } })}
    >
      Open draft
    </Button>
  )
  if (!followUp)
    return hasOwnDraft ? (
      <Notice tone="info" actions={open}>
        You have a draft for this client that is not sent.
      </Notice>
    ) : null
  const { outcome, text, at, draftedFor } = followUp
  const whose = draftedFor === null ? "" : ` for ${draftedFor}`
  return (
    <Notice tone={outcome === "WAITING" ? "warn" : "info"} actions={open}>
      {`${noteWords[outcome]}${whose}, ${dateTime(at)}. ${text}`}
      {outcome === "WAITING" && " It is tried again every hour."}
    </Notice>
  )
}
