import { Link2 } from "lucide-react"
import { useState } from "react"
import { Button } from "@/ui/button"
import { AdviceLinkDialog } from "./advice-link-dialog"
import type { FollowUpRow } from "./follow-up"

/** Makes the client's link to an advice again, from the history. */
export function AdviceLinkButton({ row }: { row: FollowUpRow }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={<Link2 size={15} />} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Copy client link
      </Button>
      {isOpen && <AdviceLinkDialog row={row} onClose={() => setIsOpen(false)} />}
    </>
  )
}
