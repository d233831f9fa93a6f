import { Checkbox } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { recall, remember } from "@/lib/remember"
import { Button } from "@/ui/button"
import { Field, PasswordField } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { useZodForm } from "@/ui/form/use-zod-form"
import { AuthForm, EmailField } from "./auth-fields"
import { AuthPage } from "./auth-page"
import styles from "./auth-page.module.css"
import { credentials } from "./schemas"
import { OtherWays } from "./other-ways"
import { useLogIn, wantsTotpCode } from "./use-sign-in"

const REMEMBERED = "email"

function rememberedEmail(): string {
  const email = recall(REMEMBERED)
  return typeof email === "string" ? email : ""
}

export function LogIn() {
  usePageTitle("Log in")
  const [known] = useState(rememberedEmail)
  const [isRemembered, setIsRemembered] = useState(known !== "")
  const rememberBox = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // On a prerendered page the box is empty until now, unless somebody has ticked it.
    const box = rememberBox.current
    if (box?.checked) setIsRemembered(true)
    else if (box && known !== "") box.checked = true
  }, [known])
  const logIn = useLogIn()
  const form = useZodForm(
    credentials,
    (values) => {
      remember(REMEMBERED, isRemembered ? values.email : null)
      return logIn.mutateAsync(values)
    },
    { email: known },
  )
  const asksCode = wantsTotpCode(logIn.error) || form.values.totpCode !== ""
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (asksCode) codeField.current?.focus()
  }, [asksCode])
  return (
    <AuthPage title="Log in" lead="Welcome back. Sign in to your back office.">
      <AuthForm form={form}>
        <EmailField {...form.field("email")} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...form.field("password")}
        />
        {asksCode && (
          <Field
            ref={codeField}
            label="Authenticator code"
            description="Enter the code from your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field("totpCode")}
          />
        )}
        <div className={styles.row}>
          <Checkbox
            ref={rememberBox}
            label="Remember Me"
            description="Keeps your email on this device"
            size="sm"
            checked={isRemembered}
            onChange={(event) => setIsRemembered(event.currentTarget.checked)}
          />
          <Link to="/auth/forgot-password">Forgot Password</Link>
        </div>
        <Button kind="primary" type="submit" isBusy={form.isSaving} fullWidth>
          Log in
        </Button>
      </AuthForm>
      <OtherWays />
      <p className={styles.other}>
        New here? <Link to="/auth/signup">Sign up</Link>
      </p>
    </AuthPage>
  )
}
