import type { UseMutationResult } from "@tanstack/react-query"
import { Button } from "@/ui/button"
import { focusFirstField } from "@/ui/form/focus-first-field"
import { PasswordField } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { useZodForm } from "@/ui/form/use-zod-form"
import { NewPasswordField, BackToLogIn } from "./auth-fields"
import { AuthPage } from "./auth-page"
import styles from "./auth-page.module.css"
import { newPassword } from "./schemas"
import {
  type NewPassword,
  useChangePassword,
  useConfirmReset,
  wantsCurrentPassword,
} from "./use-recovery"

/** Sets a new password by a token: of the mailed link, or of a one-time code. */
export function ResetByToken({ token }: { token: string }) {
  return <NewPasswordForm saving={useConfirmReset(token)} />
}

/** Sets a new password while signed in, as a first log-in must. */
export function ResetPassword() {
  return <NewPasswordForm saving={useChangePassword()} />
}

type Saving = UseMutationResult<unknown, unknown, NewPassword>

function NewPasswordForm({ saving }: { saving: Saving }) {
  usePageTitle("Reset password")
  const form = useZodForm(newPassword, ({ password, currentPassword }) =>
    saving.mutateAsync({ password, currentPassword }),
  )
  const asksCurrent = wantsCurrentPassword(saving.error) || form.values.currentPassword !== ""
  return (
    <AuthPage title="Reset password" lead="The new password must differ from the previous one.">
      <form ref={focusFirstField} className={styles.form} onSubmit={form.onSubmit} noValidate>
        {asksCurrent && (
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            {...form.field("currentPassword")}
          />
        )}
        <NewPasswordField password={form.values.password} {...form.field("password")} />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          {...form.field("confirmPassword")}
        />
        <Button kind="primary" type="submit" isBusy={form.isSaving} fullWidth>
          Reset Password
        </Button>
      </form>
      <BackToLogIn />
    </AuthPage>
  )
}
