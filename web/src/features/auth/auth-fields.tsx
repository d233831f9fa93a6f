import { useMergedRef } from "@mantine/hooks"
import { Link } from "@tanstack/react-router"
import { type ComponentProps, type ReactNode, type SyntheticEvent, useEffect, useRef } from "react"
import { focusFirstField } from "@/ui/form/focus-first-field"
import { Field, PasswordField } from "@/ui/form/fields"
import styles from "./auth-page.module.css"
import { PasswordChecks } from "./password-checks"

/** The props that a form spreads on a field. */
type FormField = Omit<ComponentProps<typeof Field>, "label">

interface AuthFormProps {
  form: {
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
    set: (typed: Record<string, string>) => void
  }
  children: ReactNode
}

/** The form of a page that the build prerenders. */
export function AuthForm({ form, children }: AuthFormProps) {
  const place = useRef<HTMLFormElement>(null)
  const { set } = form
  useEffect(() => {
    // What was typed before the page was hydrated is in the fields, and nowhere else yet.
    const fields = [...(place.current?.querySelectorAll<HTMLInputElement>("input[name]") ?? [])]
    const typed = fields.filter(({ value }) => value !== "")
    if (typed.length > 0) set(Object.fromEntries(typed.map(({ name, value }) => [name, value])))
    // Only when it opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <form
      ref={useMergedRef(place, focusFirstField)}
      // With this method the browser sends nothing when Enter is pressed before the page is hydrated.
      method="dialog"
      className={styles.form}
      onSubmit={form.onSubmit}
      noValidate
    >
      {children}
    </form>
  )
}

export const EmailField = (field: FormField) => (
  <Field label="Email" type="email" inputMode="email" autoComplete="username" {...field} />
)

/** A password to be chosen, with what it must have. */
export const NewPasswordField = ({ password, ...field }: FormField & { password: string }) => (
  <div>
    <PasswordField
      label="Password"
      autoComplete="new-password"
      aria-describedby="password-checks"
      {...field}
    />
    <PasswordChecks id="password-checks" password={password} />
  </div>
)

export const BackToLogIn = () => (
  <p className={styles.other}>
    <Link to="/auth/login">Back to log in</Link>
  </p>
)
