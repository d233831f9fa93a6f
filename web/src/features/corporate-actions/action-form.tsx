import { useState } from "react"
import { useActKey } from "@/api/act-key"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { refusesFields } from "@/ui/form/use-zod-form"
import { confirmDiscard } from "@/ui/overlay/modal"
import { SideDrawer } from "@/ui/overlay/side-drawer"
import { toast } from "@/ui/overlay/toast"
import { type ActionDraft, bodyOf, type DraftFaults, draftOf, faultsOf } from "./action-draft"
import { ActionFields } from "./action-fields"
import { type ActionRow, useEnterAction } from "./queries"
import { titleOf } from "./words"

interface ActionFormProps {
  /** The action that is changed; null for a new one. */
  edited: ActionRow | null
  onClose: () => void
}

/** Adds an action by hand, or completes one: the new entry then takes the place of the old one. */
export function ActionForm({ edited, onClose }: ActionFormProps) {
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
    <SideDrawer label={title} heading={<h2>{title}</h2>} width={440} onClose={close}>
      <DialogForm isBusy={enter.isPending} onSubmit={save} onCancel={close}>
        <ActionFields
          draft={draft}
          faults={faults}
          isStockFixed={edited !== null}
          onChange={change}
        />
      </DialogForm>
    </SideDrawer>
  )
}
