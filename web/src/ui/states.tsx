import { CircleAlert, Inbox } from "lucide-react"
import type { CSSProperties, ReactNode } from "react"
import { count } from "@/lib/format"
import { Button } from "./button"
import styles from "./states.module.css"

interface EmptyStateProps {
  /** The specification's text. */
  title: ReactNode
  /** One line that says why. */
  hint?: ReactNode
  /** The one thing to do about it. */
  action?: ReactNode
}

export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <span className={styles.mark} aria-hidden="true">
        <Inbox size={20} />
      </span>
      <div className={styles.title}>{title}</div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {action !== undefined && <div className={styles.act}>{action}</div>}
    </div>
  )
}

/** Says what failed, in the place where it failed, and offers to try again. */
export function ErrorNote({ message, onRetry }: { message: string; onRetry?: () => unknown }) {
  return (
    <div className={styles.error} role="alert">
      <CircleAlert size={16} />
      <span>{message}</span>
      {onRetry && (
        <Button kind="subtle" onClick={() => void onRetry()}>
          Retry
        </Button>
      )}
    </div>
  )
}

/** Grey shapes of the final height; they appear only when loading takes longer than 150 ms. */
export function Skeleton({
  width,
  height = 14,
}: {
  width?: CSSProperties["width"]
  height?: number
}) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
}

/** The specification's loading text, shown after 150 ms and read out politely. */
export function Loading({ text = "Fetching data..." }: { text?: string }) {
  return (
    <p className={styles.loading} role="status">
      {text}
    </p>
  )
}

interface ProgressBarProps {
  label: string
  done: number
  total: number
  /** What is being done now. */
  step?: string
}

/** Progress that is real: `12 of 40`. */
export function ProgressBar({ label, done, total, step }: ProgressBarProps) {
  const share = total > 0 ? Math.min(100, (done / total) * 100) : 0
  return (
    <div className={styles.progress}>
      <div className={styles.progressText}>
        <span>{step ?? label}</span>
        <span>
          {count(done)} of {count(total)}
        </span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <div style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}
