import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useEndAdviceLink } from "@/parts/advice-link"
import { AdviceLinkDialog } from "@/parts/advice-link-dialog"
import { endAdviceLink } from "@/parts/end-advice-link"
import type { ActedAdvice } from "@/parts/follow-up"

/** What can be done about one advice of the board, and the dialog of its link. */
export function useAdviceActs() {
  const navigate = useNavigate()
  const [linked, setLinked] = useState<ActedAdvice | null>(null)
  const end = useEndAdviceLink()
  const dialog: ReactNode = linked && (
    <AdviceLinkDialog row={linked} onClose={() => setLinked(null)} />
  )
  return {
    dialog,
    makeLink: setLinked,
    endLink: (row: ActedAdvice) => endAdviceLink(row.name, () => end.mutateAsync(row._id)),
    draft: (row: ActedAdvice) =>
      void navigate({
        to: "/home/advice",
        state: { username: row.clientId, followUpOf: row._id },
      }),
  }
}

/** Whether something may be left of an advice. */
export const mayBeLeft = ({ state }: ActedAdvice) => state !== "ACTED" && state !== "DECLINED"
