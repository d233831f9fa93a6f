import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Button } from "@/ui/button"
import { Field } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { useZodForm } from "@/ui/form/use-zod-form"
import { AuthForm, EmailField, NewPasswordField } from "./auth-fields"
import { AuthPage } from "./auth-page"
import styles from "./auth-page.module.css"
import { registration } from "./schemas"
import { signUpQuery, useSignUp, wantsSetupCode } from "./use-sign-in"

export function SignUp() {
  usePageTitle("Sign up")
  const signUp = useSignUp()
  const { data: state } = useQuery(signUpQuery)
  const form = useZodForm(registration, signUp.mutateAsync)
  const asksCode = state?.needsSetupCode === true || wantsSetupCode(signUp.error)
  return (
    <AuthPage title="Sign up" lead="Create your account to get started.">
      <AuthForm form={form}>
        <Field label="Name" autoComplete="name" {...form.field("name")} />
        <EmailField {...form.field("email")} />
        <NewPasswordField password={form.values.password} {...form.field("password")} />
        {asksCode && (
          <Field
            label="Set-up code"
            autoComplete="off"
            description="Only needed for the first account. The person who installed the product has it."
            {...form.field("setupCode")}
          />
        )}
        <Button kind="primary" type="submit" isBusy={form.isSaving} fullWidth>
          Get Started
        </Button>
      </AuthForm>
      <p className={styles.other}>
        Already have an account? <Link to="/auth/login">Log in</Link>
      </p>
    </AuthPage>
  )
}
