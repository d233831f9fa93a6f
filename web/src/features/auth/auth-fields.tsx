import { Link } from "@tanstack/react-router"
import type { ComponentProps } from "react"
import { Field, PasswordField } from "@/ui/form/fields"
import styles from "./auth-page.module.css"
import { PasswordChecks } from "./password-checks"

/** The props that a form spreads on a field. */
type FormField = Omit<ComponentProps<typeof Field>, "label">

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
