import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { chooseClient } from "@/api/session"
import styles from "./connection-card.module.css"
import { idsToConfirmQuery } from "./connection-queries"

/** Named one by one up to here; the others are counted. */
const MOST = 5

/** Says whose broker ID awaits a confirmation, each name leading to the place where it is given; else nothing. */
export function IdsToConfirm() {
  const { data: waiting = [] } = useQuery(idsToConfirmQuery)
  if (waiting.length === 0) return null
  const others = waiting.length - MOST
  return (
    <p className={styles.notice}>
      Broker IDs to confirm:{" "}
      {waiting.slice(0, MOST).map(({ _id, clientId, name }, place) => (
        <span key={_id}>
          {place > 0 && ", "}
          <Link to="/home/client/profile" onClick={() => chooseClient(_id, clientId)}>
            {name}
          </Link>
        </span>
      ))}
      {others > 0 && ` and ${others} more`}
    </p>
  )
}
