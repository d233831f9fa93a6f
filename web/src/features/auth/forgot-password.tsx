import { useEffect, useState } from "react"
import { Button } from "@/ui/button"
import { usePageTitle } from "@/ui/page-title"
import { focusFirstField } from "@/ui/form/focus-first-field"
import { useZodForm } from "@/ui/form/use-zod-form"
import { EmailField, BackToLogIn } from "./auth-fields"
import { AuthPage } from "./auth-page"
import styles from "./auth-page.module.css"
import { account } from "./schemas"
import { useRequestCode, useRequestLink } from "./use-recovery"

/** How long the button rests after a mail was asked for. */
const REST = 2000

export function ForgotPassword() {
  usePageTitle("Forgot password")
  const [isResting, setIsResting] = useState(false)
  const askLink = useRequestLink()
  const askCode = useRequestCode()
  const form = useZodForm(account, async (values) => {
    const { success } = await askLink.mutateAsync(values)
    setIsResting(success)
  })
  useEffect(() => {
    if (!isResting) return
    const timer = setTimeout(() => setIsResting(false), REST)
    return () => clearTimeout(timer)
  }, [isResting])

  const useCode = () => {
    if (form.check()) askCode.mutate(form.values.email.trim())
  }
  return (
    <AuthPage title="Forgot password" lead="Enter your email to get a reset link.">
      <form ref={focusFirstField} className={styles.form} onSubmit={form.onSubmit} noValidate>
        <EmailField {...form.field("email")} />
        <Button
          kind="primary"
          type="submit"
          disabled={form.isSaving || isResting}
          aria-busy={form.isSaving}
          fullWidth
        >
          {form.isSaving ? "Please wait..." : "Continue"}
        </Button>
      </form>
      {askLink.data?.success && (
        <p className={styles.note} role="status">
          If an account has this address, a mail has been sent. The link works for 30 minutes.
        </p>
      )}
      <p className={styles.other}>
        No link in the mail?{" "}
        <button
          type="button"
          className={styles.link}
          disabled={askCode.isPending}
          onClick={useCode}
        >
          Use a one-time code
        </button>
      </p>
      <BackToLogIn />
    </AuthPage>
  )
}
