import { useLocation, useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useEffect, useState } from "react"
import { ApiError } from "@/api/client"
import { Button } from "@/ui/button"
import { usePageTitle } from "@/ui/page-title"
import { toastCentre } from "@/ui/overlay/toast"
import { useSecond } from "@/ui/use-second"
import { useZodForm } from "@/ui/form/use-zod-form"
import { EmailField, BackToLogIn } from "./auth-fields"
import { AuthPage } from "./auth-page"
import styles from "./auth-page.module.css"
import { CodeBoxes, DIGITS } from "./code-boxes"
import { account } from "./schemas"
import { type Challenge, useRequestCode, useVerifyCode } from "./use-recovery"

/** Seconds between two mails with a code. */
const BETWEEN = 60
/** How long "OTP verified successfully!" shows before the new password, in milliseconds. */
const VERIFIED = 3000
const none = Array.from({ length: DIGITS }, () => "")

/** Asks for the email first, unless the navigation state has a challenge. */
export function OneTimeCode() {
  usePageTitle("One-time code")
  const challenge = useLocation({ select: (location) => location.state.challenge })
  return challenge ? <EnterCode key={challenge.challengeId} challenge={challenge} /> : <AskCode />
}

function AskCode() {
  const askCode = useRequestCode()
  const form = useZodForm(account, ({ email }) => askCode.mutateAsync(email))
  return (
    <AuthPage title="One-time code" lead="Enter your email to get a four-digit code.">
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        <EmailField {...form.field("email")} />
        <Button kind="primary" type="submit" isBusy={form.isSaving} fullWidth>
          Continue
        </Button>
      </form>
      <BackToLogIn />
    </AuthPage>
  )
}

function EnterCode({ challenge }: { challenge: Challenge }) {
  const [digits, setDigits] = useState(none)
  const [error, setError] = useState<string | null>(null)
  const verify = useVerifyCode()
  const navigate = useNavigate()
  const resetToken = verify.data?.resetToken

  useEffect(() => {
    if (resetToken === undefined) return
    const timer = setTimeout(
      () => void navigate({ to: "/new-password", state: { resetToken }, replace: true }),
      VERIFIED,
    )
    return () => clearTimeout(timer)
  }, [resetToken, navigate])

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (verify.isPending || resetToken !== undefined) return
    const code = digits.join("")
    if (code.length < DIGITS) {
      setError("Please enter the complete OTP")
      event.currentTarget.querySelectorAll("input")[digits.indexOf("")]?.focus()
      return
    }
    setError(null)
    verify.mutate(
      { challengeId: challenge.challengeId, code },
      {
        onSuccess: () => toastCentre.success("OTP verified successfully!"),
        onError: (refusal) => {
          if (refusal instanceof ApiError && refusal.status === 400) {
            setDigits(none)
            setError("Invalid OTP. Please try again.")
          }
        },
      },
    )
  }
  return (
    <AuthPage
      title="One-time code"
      lead={`Enter the four digits that were sent to ${challenge.email}.`}
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <CodeBoxes
          digits={digits}
          error={error}
          disabled={verify.isPending || resetToken !== undefined}
          onChange={(typed) => {
            setError(null)
            setDigits(typed)
          }}
        />
        <Button
          kind="primary"
          type="submit"
          isBusy={verify.isPending}
          disabled={resetToken !== undefined}
          fullWidth
        >
          Verify
        </Button>
      </form>
      {resetToken === undefined && <Resend challenge={challenge} />}
      <BackToLogIn />
    </AuthPage>
  )
}

function Resend({ challenge }: { challenge: Challenge }) {
  const now = useSecond()
  const askCode = useRequestCode()
  const left = BETWEEN - Math.floor((now.getTime() - challenge.askedAt) / 1000)
  return (
    <p className={styles.other}>
      No code in the mail?{" "}
      <button
        type="button"
        className={styles.link}
        disabled={left > 0 || askCode.isPending}
        onClick={() => askCode.mutate(challenge.email)}
      >
        Resend OTP
      </button>
      {left > 0 && <span className={styles.left}> in {Math.min(left, BETWEEN)} s</span>}
    </p>
  )
}
