import { useQuery } from "@tanstack/react-query"
import { KeyRound, LogIn } from "lucide-react"
import { signInWaysQuery } from "@/parts/passkeys"
import { Button } from "@/ui/button"
import styles from "./step-up.module.css"
import { useBeginSso, usePasskeyLogIn } from "./use-sign-in"

/** What the installation offers beside the password. A failed call shows none: the password is there. */
export function OtherWays() {
  const { data: ways } = useQuery(signInWaysQuery)
  const passkey = usePasskeyLogIn()
  const sso = useBeginSso()
  if (!ways?.hasPasskeys && !ways?.sso) return null
  return (
    <div className={styles.ways}>
      <p className={styles.or}>or</p>
      {ways.sso && (
        <Button
          icon={<LogIn size={15} />}
          fullWidth
          isBusy={sso.isPending}
          onClick={() => sso.mutate()}
        >
          Continue with {ways.sso.label}
        </Button>
      )}
      {ways.hasPasskeys && (
        <Button
          icon={<KeyRound size={15} />}
          fullWidth
          isBusy={passkey.isPending}
          onClick={() => passkey.mutate()}
        >
          Log in with a passkey
        </Button>
      )}
    </div>
  )
}
