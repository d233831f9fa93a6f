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

/** A code from an authenticator app at each log-in: set up, and taken away again. */
export function SecondFactorCard() {
  const [dialog, setDialog] = useState<"set-up" | "take-away" | null>(null)
  const standing = useQuery(secondFactorQuery)
  const close = () => setDialog(null)
  return (
    <Card title="Second factor" actions={<Link to="/auth/reset-password">Change password</Link>}>
      {standing.isPending && <Loading />}
      {standing.isError && <ErrorNote message="Failed to fetch data" onRetry={standing.refetch} />}
      {standing.data && (
        <div className={styles.factor}>
          <div>
            <StatusPill
              word={standing.data.isOn ? "On" : "Off"}
              tone={standing.data.isOn ? "gain" : "neutral"}
            />
            <p className={styles.hint}>
              {standing.data.isOn
                ? `${standing.data.recoveryCodesLeft} of 10 recovery codes are left.`
                : "With it a log-in needs a code from an authenticator app beside the password."}
              {standing.data.isRequired && " Your role needs a second factor."}
            </p>
          </div>
          {!standing.data.isOn && <Button onClick={() => setDialog("set-up")}>Set up</Button>}
          {standing.data.isOn && !standing.data.isRequired && (
            <Button onClick={() => setDialog("take-away")}>Take away</Button>
          )}
        </div>
      )}
      <Modal title="Set up the second factor" isOpen={dialog === "set-up"} onClose={close}>
        <SecondFactorSetUp onDone={close} />
      </Modal>
      <Modal title="Take the second factor away" isOpen={dialog === "take-away"} onClose={close}>
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
      <p>After this the password alone opens the account. Recovery codes are void.</p>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.field("password")}
      />
      <Actions>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="danger" type="submit" isBusy={form.isSaving}>
          Take away
        </Button>
      </Actions>
    </form>
  )
}
