import { useEffect, useRef, useState } from "react"
import * as z from "zod/mini"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Field } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote, Loading } from "@/ui/states"
import { AuthForm, BackToLogIn } from "./auth-fields"
import { AuthPage } from "./auth-page"
import { useEndSso, wantsTotpCode } from "./use-sign-in"

const schema = z.object({
  totpCode: z.string().check(z.trim(), z.minLength(1, "Enter the code of your authenticator app.")),
})

/** Where the single sign-on sends a person back: opens the session, or says why there is none. */
export function SsoReturn() {
  usePageTitle("Log in")
  const end = useEndSso()
  const [asksCode, setAsksCode] = useState(false)
  const isBegun = useRef(false)
  useEffect(() => {
    // The return is good once, and an effect may run twice.
    if (isBegun.current) return
    isBegun.current = true
    end.mutate("", { onError: (error) => setAsksCode(wantsTotpCode(error)) })
    // Only when it opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const form = useZodForm(schema, ({ totpCode }) => end.mutateAsync(totpCode))
  const isRefused = end.isError && !wantsTotpCode(end.error)
  if (asksCode && !isRefused)
    return (
      <AuthPage title="Log in" lead="One more step: your account has a second factor.">
        <AuthForm form={form}>
          <Field
            label="Authenticator code"
            description="Enter the code from your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field("totpCode")}
          />
          <Button kind="primary" type="submit" isBusy={form.isSaving} fullWidth>
            Log in
          </Button>
        </AuthForm>
        <BackToLogIn />
      </AuthPage>
    )
  return (
    <AuthPage title="Log in" lead="Single sign-on">
      {isRefused ? (
        <>
          <ErrorNote message={messageOf(end.error, "The single sign-on was not accepted.")} />
          <BackToLogIn />
        </>
      ) : (
        <Loading text="Logging you in..." />
      )}
    </AuthPage>
  )
}
