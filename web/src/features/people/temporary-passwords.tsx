import { Copy } from "lucide-react"
import { useState } from "react"
import { Button, IconButton } from "@/ui/button"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import styles from "./people.module.css"

/** A new account's temporary password, which the server gives only once. */
export interface NewPassword {
  name: string
  email: string
  password: string
}

const linesOf = (passwords: NewPassword[]) =>
  passwords.map(({ name, email, password }) => `${name}\t${email}\t${password}`).join("\n")

/** Shows temporary passwords while no mail can bring them; the server does not tell them again. */
export function TemporaryPasswords({
  passwords,
  onClose,
}: {
  passwords: NewPassword[]
  onClose: () => void
}) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
      toast.success("Copied")
    } catch {
      toast.error("The password could not be copied", {
        detail: "The browser does not let this page write to the clipboard.",
      })
    }
  }
  const close = async () => {
    const isSure =
      isCopied ||
      (await confirm({
        title: "Close without copying?",
        text: "These passwords are not shown again.",
        act: "Close",
      }))
    if (isSure) onClose()
  }
  return (
    <Modal title="Temporary passwords" isOpen onClose={() => void close()} width={480}>
      <p>
        No mail is set up, so hand these over yourself. They are shown once and work for 72 hours;
        at the first login each person sets a new password.
      </p>
      <div className={styles.passwords}>
        {passwords.map((account) => (
          <div key={account.email} className={styles.password}>
            <div>
              <strong>{account.name}</strong> <small>{account.email}</small>
              <code>{account.password}</code>
            </div>
            <IconButton
              framed
              label={`Copy the password of ${account.name}`}
              icon={<Copy size={15} aria-hidden="true" />}
              onClick={() => void copy(account.password)}
            />
          </div>
        ))}
      </div>
      <Actions>
        <Button
          data-autofocus
          icon={<Copy size={15} aria-hidden="true" />}
          onClick={() => void copy(linesOf(passwords))}
        >
          Copy all
        </Button>
        <Button kind="primary" onClick={() => void close()}>
          Done
        </Button>
      </Actions>
    </Modal>
  )
}
