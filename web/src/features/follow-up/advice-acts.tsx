import { FileText, Link2, Link2Off, Scale } from "lucide-react"
import { useSession } from "@/api/use-session"
import type { ActedAdvice } from "@/parts/follow-up"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import styles from "./follow-up.module.css"
import { mayBeLeft, useAdviceActs } from "./use-advice-acts"

/** The actions on one advice; drafts and links are for an ADMIN. */
export function AdviceActs({ advice }: { advice: ActedAdvice }) {
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
            disabled={!mayBeLeft(advice)}
            title={mayBeLeft(advice) ? undefined : "Nothing is left of this advice."}
            onClick={() => draft(advice)}
          >
            Draft follow-up
          </Button>
          <Button icon={<Link2 size={15} />} onClick={() => makeLink(advice)}>
            Copy client link
          </Button>
          <Button icon={<Link2Off size={15} />} onClick={() => void endLink(advice)}>
            End link
          </Button>
        </>
      )}
      <Button
        icon={<FileText size={15} />}
        onClick={() =>
          openClient(
            { _id: advice.userId, clientId: advice.clientId },
            "/home/client/advice-history",
          )
        }
      >
        Advice history
      </Button>
      {dialog}
    </div>
  )
}
