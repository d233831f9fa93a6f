import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { secondFactorQuery, useEndSecondFactor } from "./account-queries"
import styles from "./account.module.css"
import { OwnPassword } from "./own-password"
import { SecondFactorSetUp } from "./second-factor-set-up"

/** Sets up or removes the authenticator code at log-in. */
export function SecondFactorCard() {
  const [dialog, setDialog] = useState<"set-up" | "remove" | null>(null)
  const status = useQuery(secondFactorQuery)
  const end = useEndSecondFactor()
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
        <OwnPassword
          text="After this only the password is needed to log in. The recovery codes stop working."
          onPassword={async (password) => {
            await end.mutateAsync(password)
            close()
          }}
          submitLabel="Remove"
          kind="danger"
          onCancel={close}
        />
      </Modal>
    </Card>
  )
}
