import { useState } from "react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { MoneyField } from "@/ui/form/number-fields"
import { RadioField } from "@/ui/form/radio-field"
import { toast } from "@/ui/overlay/toast"
import styles from "./models.module.css"
import { useChangeSubscribers } from "./queries"
import type { Model, Subscriber } from "./types"

interface FollowedValueProps {
  model: Model
  subscriber: Subscriber
  onClose: () => void
}

const ways = { all: "All holdings and cash", fixed: "A value" } as const

/** How much of a client's money follows the model. */
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
        onError: (error) => toast.error(messageOf(error, "Something went wrong")),
      },
    )
  }
  return (
    <Modal
      title={`Value that follows: ${subscriber.name}`}
      isOpen
      onClose={onClose}
      isDirty={next !== before}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
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
            description="More than the client has asks for fresh funds."
            error={isTried && isFaulty ? "Please enter a valid amount" : undefined}
          />
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={change.isPending}>
            Save
          </Button>
        </Actions>
      </form>
    </Modal>
  )
}
