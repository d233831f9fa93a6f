import { useQuery } from "@tanstack/react-query"
import { KeyRound } from "lucide-react"
import { useState } from "react"
import * as z from "zod/mini"
import { age, longDate } from "@/lib/dates"
import { signInWaysQuery } from "@/parts/passkeys"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Field } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import styles from "./account.module.css"
import { type Passkey, passkeysQuery, useAddPasskey, useRemovePasskey } from "./passkey-queries"

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Name is required"), z.maxLength(100)),
})

/** The person's passkeys; hidden where the installation has no address for them. */
export function PasskeysCard() {
  const [isAdding, setIsAdding] = useState(false)
  const { data: ways } = useQuery(signInWaysQuery)
  const passkeys = useQuery(passkeysQuery)
  const remove = useRemovePasskey()
  if (!ways?.hasPasskeys) return null
  const ask = async (passkey: Passkey) => {
    const isSure = await confirm({
      title: "Remove this passkey?",
      text: `You can no longer log in with “${passkey.name}”. Delete it on your device as well.`,
      act: "Remove",
      isDanger: true,
    })
    if (isSure) remove.mutate(passkey._id)
  }
  return (
    <Card
      title="Passkeys"
      note="Log in with your device's fingerprint, face or PIN. No password and no code are needed."
      actions={<Button onClick={() => setIsAdding(true)}>Add passkey</Button>}
    >
      {passkeys.isPending && <Loading />}
      {passkeys.isError && <ErrorNote message="Failed to fetch data" onRetry={passkeys.refetch} />}
      {passkeys.data?.length === 0 && <EmptyState title="Passkeys you add appear here." />}
      <ul className={styles.sessions}>
        {passkeys.data?.map((passkey) => (
          <li key={passkey._id} className={styles.session}>
            <KeyRound size={18} aria-hidden="true" />
            <div className={styles.where}>
              <p>{passkey.name}</p>
              <p className={styles.hint}>
                Added on {longDate(passkey.madeAt)} ·{" "}
                {passkey.usedAt ? `last used ${age(passkey.usedAt)}` : "not used yet"}
              </p>
            </div>
            <Button
              aria-label={`Remove ${passkey.name}`}
              isBusy={remove.isPending && remove.variables === passkey._id}
              onClick={() => void ask(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Modal title="Add a passkey" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <AddPasskey onDone={() => setIsAdding(false)} />
      </Modal>
    </Card>
  )
}

function AddPasskey({ onDone }: { onDone: () => void }) {
  const add = useAddPasskey()
  const form = useZodForm(schema, async ({ name }) => {
    await add.mutateAsync(name)
    onDone()
  })
  return (
    <form className={styles.steps} onSubmit={form.onSubmit} noValidate>
      <p>Your browser then asks where to keep the passkey: on this device, a phone or a key.</p>
      <Field
        label="Name"
        description="Where it is kept, such as “Office laptop”."
        data-autofocus
        {...form.field("name")}
      />
      <Actions>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={form.isSaving}>
          Continue
        </Button>
      </Actions>
    </form>
  )
}
