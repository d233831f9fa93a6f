import { FileText, Link2, Link2Off, Scale } from "lucide-react"
import { useSession } from "@/api/use-session"
import type { FollowUpRow } from "@/parts/follow-up"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import styles from "./follow-up.module.css"
import { mayBeLeft, useAdviceActs } from "./use-advice-acts"

/** The actions on one advice; drafts and links are for an ADMIN. */
export function AdviceActs({ row }: { row: FollowUpRow }) {
  const isAdmin = useSession("role") === "ADMIN"
  const openClient = useOpenClient()
  const { draft, makeLink, endLink, dialog } = useAdviceActs()
  return (
    <div className={styles.acts}>
      {isAdmin && (
        <>
          <Button
            kind="primary"
            icon={<Scale size={15} />}
            disabled={!mayBeLeft(row)}
            title={mayBeLeft(row) ? undefined : "Nothing is left of this advice."}
            onClick={() => draft(row)}
          >
            Draft follow-up
          </Button>
          <Button icon={<Link2 size={15} />} onClick={() => makeLink(row)}>
            Copy client link
          </Button>
          <Button icon={<Link2Off size={15} />} onClick={() => void endLink(row)}>
            End link
          </Button>
        </>
      )}
      <Button
        icon={<FileText size={15} />}
        onClick={() =>
          openClient({ _id: row.userId, clientId: row.clientId }, "/home/client/advice-history")
        }
      >
        Advice history
      </Button>
      {dialog}
    </div>
  )
}
