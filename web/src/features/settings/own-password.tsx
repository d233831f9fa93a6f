import * as z from "zod/mini"
import { Button } from "@/ui/button"
import { PasswordField } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Actions } from "@/ui/overlay/confirm"
import styles from "./account.module.css"

const schema = z.object({ password: z.string().check(z.minLength(1, "Password is required")) })

interface OwnPasswordProps {
  text: string
  onPassword: (password: string) => Promise<void>
  submitLabel: string
  kind?: "primary" | "danger"
  onCancel?: () => void
}

/** Asks for the person's password before a change of the second factor. */
export function OwnPassword(props: OwnPasswordProps) {
  const { text, onPassword, submitLabel, kind = "primary", onCancel } = props
  const form = useZodForm(schema, ({ password }) => onPassword(password))
  return (
    <form className={styles.steps} onSubmit={form.onSubmit} noValidate>
      <p>{text}</p>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.field("password")}
      />
      <Actions>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind={kind} type="submit" isBusy={form.isSaving}>
          {submitLabel}
        </Button>
      </Actions>
    </form>
  )
}
