import { useEffect, useRef, useState } from "react"
import * as z from "zod/mini"
import { saveFile } from "@/lib/save-file"
import { Button } from "@/ui/button"
import { lazyComponent } from "@/ui/lazy-component"
import { Actions } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import { useBeginSecondFactor, useConfirmSecondFactor } from "./account-queries"
import styles from "./account.module.css"
import { OwnPassword } from "./own-password"
import type { QrPictureProps } from "./qr-picture"

const QrPicture = lazyComponent<QrPictureProps>(
  () => import("./qr-picture"),
  () => <svg className={styles.qr} />,
)

interface Begun {
  secret: string
  uri: string
}

const ownCode = z.object({
  code: z.string().check(z.trim(), z.minLength(1, "Enter the code of your authenticator app.")),
})

/** Three steps: the password, the app with its first code, the recovery codes. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const [enrolment, setBegun] = useState<Begun | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const begin = useBeginSecondFactor()
  if (recoveryCodes) return <KeepCodes codes={recoveryCodes} onDone={onDone} />
  if (enrolment) return <ConfirmCode enrolment={enrolment} onConfirmed={setRecoveryCodes} />
  return (
    <OwnPassword
      text="You need an authenticator app on your phone, such as Aegis or Google Authenticator."
      onPassword={async (password) => setBegun(await begin.mutateAsync(password))}
      submitLabel="Continue"
    />
  )
}

function ConfirmCode({
  enrolment,
  onConfirmed,
}: {
  enrolment: Begun
  onConfirmed: (codes: string[]) => void
}) {
  const confirm = useConfirmSecondFactor()
  const form = useZodForm(ownCode, async ({ code }) => {
    onConfirmed((await confirm.mutateAsync(code)).recoveryCodes)
  })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  // Only this kind of address becomes a link.
  const isForApps = enrolment.uri.startsWith("otpauth://totp/")
  return (
    <form className={styles.steps} onSubmit={form.onSubmit} noValidate>
      <p>Scan this with the app, or type the key into it. Then enter the code that it shows.</p>
      <QrPicture text={enrolment.uri} label="QR code for the authenticator app" />
      <div>
        <p className={styles.hint} id="app-key">
          Key
        </p>
        <code className={styles.key} aria-labelledby="app-key">
          {enrolment.secret.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
        {isForApps && (
          <p className={styles.hint}>
            <a href={enrolment.uri}>Open in an app on this device</a>
          </p>
        )}
      </div>
      <Field
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        ref={field}
        {...form.field("code")}
      />
      <Actions>
        <Button kind="primary" type="submit" isBusy={form.isSaving}>
          Confirm
        </Button>
      </Actions>
    </form>
  )
}

function KeepCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join("\n")
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast.success("Recovery codes copied")
  }
  return (
    <div className={styles.steps}>
      <p>
        The second factor is on. Store these recovery codes separately from your phone. Each works
        once, and they are not shown again.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Actions>
        <Button onClick={() => void copy()}>Copy</Button>
        <Button onClick={() => saveFile(new Blob([`${text}\n`]), "tarazu-recovery-codes.txt")}>
          Download
        </Button>
        <Button kind="primary" onClick={onDone}>
          I have saved them
        </Button>
      </Actions>
    </div>
  )
}
