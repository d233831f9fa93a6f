import { Drawer } from "@mantine/core"
import { X } from "lucide-react"
import { useState } from "react"
import { useActKey } from "@/api/act-key"
import { toastError } from "@/parts/toast-error"
import { IconButton } from "@/ui/button"
import { DialogForm } from "@/ui/form/dialog-form"
import { refusesFields } from "@/ui/form/use-zod-form"
import { confirmDiscard } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import { useIsPhone } from "@/ui/use-media"
import { type ActionDraft, bodyOf, type DraftFaults, draftOf, faultsOf } from "./action-draft"
import { ActionFields } from "./action-fields"
import styles from "./corporate-actions.module.css"
import { type ActionRow, useEnterAction } from "./queries"
import { titleOf } from "./words"

interface ActionFormProps {
  /** The action that is changed; null for a new one. */
  edited: ActionRow | null
  onClose: () => void
}

/** Adds an action by hand, or completes one: the new entry then takes the place of the old one. */
export function ActionForm({ edited, onClose }: ActionFormProps) {
  useFocusReturn()
  const isPhone = useIsPhone()
  const [draft, setDraft] = useState(() => draftOf(edited))
  const [isTouched, setIsTouched] = useState(false)
  const [faults, setFaults] = useState<DraftFaults>({})
  const enter = useEnterAction()
  const keyOf = useActKey()

  const change = (next: Partial<ActionDraft>) => {
    setIsTouched(true)
    setFaults({})
    setDraft((old) => ({ ...old, ...next }))
  }
  const close = () => {
    if (!isTouched) onClose()
    else void confirmDiscard().then((isSure) => isSure && onClose())
  }
  const save = () => {
    const found = faultsOf(draft)
    setFaults(found)
    if (Object.keys(found).length > 0 || enter.isPending) return
    const body = bodyOf(draft, edited?._id ?? null)
    enter.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: () => {
          toast.success("Corporate action saved")
          onClose()
        },
        onError: (error) => {
          if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          else setFaults(Object.fromEntries(error.errors.map((each) => [each.field, each.message])))
        },
      },
    )
  }
  const title = edited === null ? "Add corporate action" : titleOf(edited)
  return (
    <Drawer.Root
      opened
      onClose={close}
      position="right"
      size={isPhone ? "100%" : 440}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label={title}>
        <div className={styles.drawer}>
          <div className={styles.head}>
            <h2>{title}</h2>
            <IconButton label="Close" icon={<X size={18} />} onClick={close} />
          </div>
          <DialogForm isBusy={enter.isPending} onSubmit={save} onCancel={close}>
            <ActionFields
              draft={draft}
              faults={faults}
              isStockFixed={edited !== null}
              onChange={change}
            />
          </DialogForm>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
