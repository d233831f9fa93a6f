import { useState } from "react"
import type { Model } from "@/parts/models"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { Modal } from "@/ui/overlay/modal"
import { MoneyField } from "@/ui/form/number-fields"
import { RadioField } from "@/ui/form/radio-field"
import { toast } from "@/ui/overlay/toast"
import { useChangeSubscribers } from "./queries"
import type { Subscriber } from "./types"

interface FollowedValueProps {
  model: Model
  subscriber: Subscriber
  onClose: () => void
}

const ways = { all: "All holdings and cash", fixed: "A fixed value" } as const

/** Sets how much of a client's money follows the model. */
export function FollowedValue({ model, subscriber, onClose }: FollowedValueProps) {
  const change = useChangeSubscribers(model._id)
  const before = subscriber.investmentValue
  const [way, setWay] = useState<keyof typeof ways>(before === null ? "all" : "fixed")
  const [value, setValue] = useState<number | "">(before ?? "")
  const [isTried, setIsTried] = useState(false)
  const isFaulty = way === "fixed" && (value === "" || value <= 0)
  const next = way === "all" || value === "" ? null : value
  const save = () => {
    setIsTried(true)
    if (isFaulty) return
    change.mutate(
      { add: [{ clientId: subscriber._id, investmentValue: next }] },
      {
        onSuccess: () => {
          toast.success(`Saved for ${subscriber.name}`)
          onClose()
        },
        onError: toastError,
      },
    )
  }
  return (
    <Modal
      title={`Value followed: ${subscriber.name}`}
      isOpen
      onClose={onClose}
      isDirty={next !== before}
    >
      <DialogForm isBusy={change.isPending} onSubmit={save} onCancel={onClose}>
        <RadioField
          label={`Follows ${model.name} with`}
          choices={ways}
          value={way}
          onChoice={setWay}
        />
        {way === "fixed" && (
          <MoneyField
            label="Value"
            value={value}
            onChange={setValue}
            data-autofocus
            description="A value above what the client has requires fresh funds."
            error={isTried && isFaulty ? "Please enter a valid amount" : undefined}
          />
        )}
      </DialogForm>
    </Modal>
  )
}
