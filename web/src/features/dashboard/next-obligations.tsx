import { useQuery } from "@tanstack/react-query"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { ObligationPill } from "@/parts/obligation-status"
import { AppLink } from "@/ui/app-link"
import { Card } from "@/ui/card"
import { ErrorNote } from "@/ui/states"
import styles from "./morning.module.css"
import { nextObligationsQuery } from "./queries"

/** What the firm owes next under its registration; an ADMIN's alone, and gone while nothing is open. */
export default function NextObligations() {
  const isAdmin = useSession("role") === "ADMIN"
  const next = useQuery({ ...nextObligationsQuery, enabled: isAdmin })
  if (!isAdmin || next.data?.length === 0 || next.isPending) return null
  return (
    <Card title="Next obligations">
      {next.isError && !next.data && (
        <ErrorNote message="The obligations could not be loaded." onRetry={next.refetch} />
      )}
      <ul className={styles.lines} aria-label="Next obligations">
        {next.data?.map(({ _id, title, note, status, current }) => (
          <li key={_id}>
            <AppLink to={`/home/compliance?obligation=${_id}`}>
              <span className={styles.text}>
                <span className={styles.name}>{title}</span>
                {note !== "" && <small>{note}</small>}
              </span>{" "}
              {current?.dueOn && <span className={styles.none}>{date(current.dueOn)}</span>}{" "}
              <ObligationPill status={status} />
            </AppLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
