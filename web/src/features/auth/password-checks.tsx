import { Check, Circle } from "lucide-react"
import styles from "./auth-page.module.css"
import { passwordChecks } from "./schemas"

/** What a new password shall have, ticked off while it is typed. */
export function PasswordChecks({ id, password }: { id: string; password: string }) {
  return (
    <ul className={styles.checks} id={id} aria-label="The password has">
      {passwordChecks(password).map(({ text, isMet }) => (
        <li key={text} data-met={isMet}>
          {isMet ? <Check size={14} aria-hidden="true" /> : <Circle size={14} aria-hidden="true" />}
          {text}
          <span className="sr-only">{isMet ? ", done" : ", not yet"}</span>
        </li>
      ))}
    </ul>
  )
}
