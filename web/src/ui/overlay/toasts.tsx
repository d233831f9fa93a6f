import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react"
import { useEffect, useState, useSyncExternalStore } from "react"
import { Button, IconButton } from "@/ui/button"
import { dismiss, type Toast, type ToastPlace, toasts } from "./toast"
import styles from "./toasts.module.css"

const pictures = { success: CircleCheck, error: CircleAlert, warning: TriangleAlert, info: Info }

/** Where toasts appear; used once in the app. Errors are announced immediately, the others politely. */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.initial)
  return (
    <section aria-label="Messages" className={styles.host}>
      {(["right", "centre"] as ToastPlace[]).map((place) => (
        <div key={place} className={styles.stack} data-place={place}>
          {(["assertive", "polite"] as const).map((live) => (
            <div key={live} aria-live={live} className={styles.live}>
              {shown
                .filter((each) => each.place === place)
                .filter(({ kind }) => (kind === "error") === (live === "assertive"))
                .map((each) => (
                  <ToastCard key={each.id} toast={each} />
                ))}
            </div>
          ))}
        </div>
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, kind, message, detail, times, lasts, undo } = toast
  const [isHeld, setIsHeld] = useState(false)
  const Picture = pictures[kind]

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), lasts)
    return () => clearTimeout(timer)
  }, [id, lasts, isHeld])

  return (
    <div
      className={styles.toast}
      data-kind={kind}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Picture size={18} aria-hidden="true" />
      <div className={styles.text}>
        <p>
          {message}
          {times > 1 && <span className={styles.times}>×{times}</span>}
        </p>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      </div>
      {undo && (
        <Button
          kind="subtle"
          onClick={() => {
            undo()
            dismiss(id)
          }}
        >
          Undo
        </Button>
      )}
      <IconButton label="Dismiss message" icon={<X size={15} />} onClick={() => dismiss(id)} />
    </div>
  )
}
