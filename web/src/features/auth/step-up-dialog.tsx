import { Modal } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { KeyRound } from "lucide-react"
import { useEffect, useRef } from "react"
import * as z from "zod/mini"
import { Button } from "@/ui/button"
import { Field, PasswordField } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Actions } from "@/ui/overlay/confirm"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import { ErrorNote, Loading } from "@/ui/states"
import styles from "./step-up.module.css"
import { proofWaysQuery, useProveByPasskey, useProveByPassword } from "./use-step-up"

const schemaOf = (hasTotp: boolean) =>
  z.object({
    password: z.string().check(z.minLength(1, "Password is required")),
    totpCode: z
      .string()
      .check(z.trim(), z.minLength(hasTotp ? 1 : 0, "Enter the code of your authenticator app.")),
  })

interface StepUpProps {
  onProved: () => void
  onClose: () => void
}

/** Asks who is signed in to prove it, on top of whatever is open. Then the call is repeated. */
export default function StepUpDialog({ onProved, onClose }: StepUpProps) {
  const ways = useQuery(proofWaysQuery)
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={400}
      transitionProps={{ duration: 0 }}
      yOffset="14vh"
      zIndex={390}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Modal.Content>
        <Modal.Header role="none">
          <Modal.Title>Confirm that it is you</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <p className={styles.text}>
            Exports, broker keys, roles and sign-in settings need your confirmation. What you
            started continues afterwards.
          </p>
          {ways.isPending && <Loading />}
          {ways.isError && <ErrorNote message="Failed to fetch data" onRetry={ways.refetch} />}
          {ways.data && <Proof {...ways.data} onProved={onProved} onClose={onClose} />}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

interface ProofProps extends StepUpProps {
  hasTotp: boolean
  hasPasskey: boolean
}

function Proof({ hasTotp, hasPasskey, onProved, onClose }: ProofProps) {
  const byPassword = useProveByPassword(onProved)
  const byPasskey = useProveByPasskey(onProved)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const form = useZodForm(schemaOf(hasTotp), (values) => byPassword.mutateAsync(values), {})
  return (
    <form className={styles.steps} onSubmit={form.onSubmit} noValidate>
      {hasPasskey && (
        <>
          <Button
            icon={<KeyRound size={15} />}
            fullWidth
            isBusy={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            Use a passkey
          </Button>
          <p className={styles.or}>or</p>
        </>
      )}
      <PasswordField
        ref={field}
        label="Password"
        autoComplete="current-password"
        {...form.field("password")}
      />
      {hasTotp && (
        <Field
          label="Authenticator code"
          description="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field("totpCode")}
        />
      )}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={form.isSaving}>
          Confirm
        </Button>
      </Actions>
    </form>
  )
}
