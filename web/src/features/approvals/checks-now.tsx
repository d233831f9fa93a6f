import { OctagonX, TriangleAlert } from "lucide-react"
import styles from "./approvals.module.css"
import type { ApprovalShown } from "./queries"

const pictures = { BLOCK: OctagonX, WARN: TriangleAlert }
const levels = { BLOCK: "Blocks the send:", WARN: "Warning:" }

/** The checks before the send that are not in order now. */
export function ChecksNow({ checks }: { checks: ApprovalShown["checks"] }) {
  const open = checks.filter(({ level }) => level !== "OK")
  if (checks.length === 0) return null
  return (
    <section className={styles.checks} aria-label="Checks now">
      <h3>Checks now</h3>
      {open.length === 0 && <p>All checks are in order.</p>}
      <ul>
        {open.map(({ id, level, text }) => {
          const Picture = pictures[level as keyof typeof pictures]
          return (
            <li key={id} data-level={level}>
              <Picture size={15} aria-hidden="true" />
              <p>
                <span className="sr-only">{levels[level as keyof typeof levels]}</span> {text}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
