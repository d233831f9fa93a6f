import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import * as z from "zod/mini"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Actions } from "@/ui/overlay/confirm"
import { PasswordField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { useZodForm } from "@/ui/form/use-zod-form"
import { secondFactorQuery, useEndSecondFactor } from "./account-queries"
import styles from "./account.module.css"
import { SecondFactorSetUp } from "./second-factor-set-up"

const ownPassword = z.object({ password: z.string().check(z.minLength(1, "Password is required")) })

/** Sets up or removes the authenticator code at log-in. */
export function SecondFactorCard() {
  const [dialog, setDialog] = useState<"set-up" | "remove" | null>(null)
  const status = useQuery(secondFactorQuery)
  const close = () => setDialog(null)
  return (
    <Card title="Second factor" actions={<Link to="/auth/reset-password">Change password</Link>}>
      {status.isPending && <Loading />}
      {status.isError && <ErrorNote message="Failed to fetch data" onRetry={status.refetch} />}
      {status.data && (
        <div className={styles.factor}>
          <div>
            <StatusPill
              word={status.data.isOn ? "On" : "Off"}
              tone={status.data.isOn ? "gain" : "neutral"}
            />
            <p className={styles.hint}>
              {status.data.isOn
                ? `${status.data.recoveryCodesLeft} of 10 recovery codes are left.`
                : "Requires an authenticator code in addition to the password."}
              {status.data.isRequired && " Your role needs a second factor."}
            </p>
          </div>
          {!status.data.isOn && <Button onClick={() => setDialog("set-up")}>Set up</Button>}
          {status.data.isOn && !status.data.isRequired && (
            <Button onClick={() => setDialog("remove")}>Remove</Button>
          )}
        </div>
      )}
      <Modal title="Set up the second factor" isOpen={dialog === "set-up"} onClose={close}>
        <SecondFactorSetUp onDone={close} />
      </Modal>
      <Modal title="Remove the second factor" isOpen={dialog === "remove"} onClose={close}>
        <TakeAway onDone={close} />
      </Modal>
    </Card>
  )
}

function TakeAway({ onDone }: { onDone: () => void }) {
  const end = useEndSecondFactor()
  const form = useZodForm(ownPassword, async ({ password }) => {
    await end.mutateAsync(password)
    onDone()
  })
  return (
    <form className={styles.steps} onSubmit={form.onSubmit} noValidate>
      <p>After this only the password is needed to log in. The recovery codes stop working.</p>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.field("password")}
      />
      <Actions>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="danger" type="submit" isBusy={form.isSaving}>
          Remove
        </Button>
      </Actions>
    </form>
  )
}
