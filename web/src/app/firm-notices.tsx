import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { firmQuery } from "@/api/shared-queries"
import { useSession } from "@/api/use-session"
import { PRACTICE } from "@/parts/registration"
import styles from "./layout.module.css"

const mails = {
  NOT_SET_UP: "No mail server is set up: nothing reaches clients.",
  NOT_TESTED: "No test mail has been delivered yet: mails may not reach clients.",
}

/** What stands on every screen: that the prices are made up, that mails reach nobody. */
export function FirmNotices() {
  const { data: firm } = useQuery(firmQuery)
  const isAdmin = useSession("role") === "ADMIN"
  if (!firm || (!firm.isPractice && firm.mail === "TESTED")) return null
  return (
    <section aria-label="Notices">
      {firm.isPractice && <p className={styles.notice}>{PRACTICE}</p>}
      {firm.mail !== "TESTED" && (
        <p className={styles.notice}>
          {mails[firm.mail]}{" "}
          {isAdmin && (
            <Link to="/home/settings" search={{ section: "mail" }}>
              Set up mail
            </Link>
          )}
        </p>
      )}
    </section>
  )
}
