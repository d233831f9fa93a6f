import { Checkbox } from "@mantine/core"
import { Check as Tick, OctagonX, TriangleAlert } from "lucide-react"
import { AppLink } from "@/ui/app-link"
import styles from "./check-list.module.css"

interface ListedCheck {
  id: string
  level: "BLOCK" | "WARN" | "OK"
  text: string
  fix: { label: string; to: string }
}

interface CheckListProps {
  checks: ListedCheck[]
  isRead: boolean
  onRead: (isRead: boolean) => void
  /** The address of this list: fixes on this screen are actions, the others are links. */
  here: string
  acts: Partial<Record<string, () => void>>
}

const pictures = { BLOCK: OctagonX, WARN: TriangleAlert, OK: Tick }
const levels = { BLOCK: "Blocks the send:", WARN: "Warning:", OK: "In order:" }

/** The checks before a send: what blocks it, what warns, and how to fix each. */
export function CheckList({ checks, isRead, onRead, here, acts }: CheckListProps) {
  const open = (["BLOCK", "WARN"] as const).flatMap((level) =>
    checks.filter((check) => check.level === level),
  )
  const fine = checks.filter(({ level }) => level === "OK")
  const hasWarning = checks.some(({ level }) => level === "WARN")
  if (checks.length === 0) return null
  return (
    <section className={styles.checks} aria-label="Before you send">
      <h3>Before you send</h3>
      {open.length > 0 && (
        <ul>
          {open.map((check) => (
            <Row
              key={check.id}
              check={check}
              act={check.fix.to === here ? acts[check.id] : undefined}
            />
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <details>
          <summary>
            {fine.length} {fine.length === 1 ? "check is" : "checks are"} in order
          </summary>
          <ul>
            {fine.map((check) => (
              <Row key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
      {hasWarning && (
        <Checkbox
          size="sm"
          label="I have read these"
          checked={isRead}
          onChange={(event) => onRead(event.currentTarget.checked)}
        />
      )}
    </section>
  )
}

function Row({ check, act }: { check: ListedCheck; act?: () => void }) {
  const { level, text, fix } = check
  const Picture = pictures[level]
  return (
    <li data-level={level}>
      <Picture size={15} aria-hidden="true" />
      <p>
        <span className="sr-only">{levels[level]}</span> {text}
      </p>
      {level !== "OK" &&
        (act ? (
          <button type="button" onClick={act}>
            {fix.label}
          </button>
        ) : (
          <AppLink to={fix.to}>{fix.label}</AppLink>
        ))}
    </li>
  )
}
