import { useState } from "react"
import { kindWords, type RestrictionKind } from "@/lib/restriction-words"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { PercentField } from "@/ui/form/number-fields"
import { RadioField } from "@/ui/form/radio-field"
import { type ChosenStock, StockChoice } from "@/parts/stock-choice"
import { keyOf, type Restriction } from "./queries"
import styles from "./restrictions.module.css"

interface RestrictionFormProps {
  known: Restriction[]
  /** Null for a new one. */
  edited: Restriction | null
  isSaving: boolean
  onClose: () => void
  /** Gets the whole list, this one included. */
  onSave: (next: Restriction[]) => Promise<unknown>
}

type Draft = Pick<Restriction, "kind" | "reason"> & { least: number | ""; most: number | "" }

const hints: Record<RestrictionKind, string> = {
  LOCKED: "Neither bought nor sold.",
  NEVER_BUY: "Not bought; shares already held may be sold.",
  RANGE:
    "Not sold below the minimum, not bought above the maximum; a larger holding is sold down to it.",
}

function faultOf({ kind, least, most }: Draft): string | null {
  if (kind !== "RANGE") return null
  if (least === "" && most === "") return "Give a minimum, a maximum or both"
  if (least !== "" && most !== "" && least > most) return "The minimum is above the maximum"
  return null
}

/** Adds or edits the restriction of one stock. */
export default function RestrictionForm(props: RestrictionFormProps) {
  const { known, edited, isSaving, onClose, onSave } = props
  const [stock, setStock] = useState<ChosenStock | null>(edited)
  const [draft, setDraft] = useState<Draft>({
    kind: edited?.kind ?? "LOCKED",
    reason: edited?.reason ?? "",
    least: edited?.minimumPercentage ?? "",
    most: edited?.maximumPercentage ?? "",
  })
  const [isTouched, setIsTouched] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const change = (next: Partial<Draft>) => {
    setIsTouched(true)
    setDraft({ ...draft, ...next })
  }
  const fault = faultOf(draft)
  const isTaken =
    edited === null && stock !== null && known.some((each) => keyOf(each) === keyOf(stock))
  const save = () => {
    setIsTried(true)
    if (stock === null || isTaken || fault !== null || isSaving) return
    const isRange = draft.kind === "RANGE"
    const next: Restriction = {
      ...stock,
      kind: draft.kind,
      reason: draft.reason.trim(),
      minimumPercentage: isRange && draft.least !== "" ? draft.least : null,
      maximumPercentage: isRange && draft.most !== "" ? draft.most : null,
    }
    void onSave(
      edited === null
        ? [...known, next]
        : known.map((each) => (keyOf(each) === keyOf(edited) ? next : each)),
    )
  }
  return (
    <Modal
      title={edited === null ? "Add restriction" : `Restriction of ${edited.tradingSymbol}`}
      isOpen
      onClose={onClose}
      isDirty={isTouched}
      width={460}
    >
      <DialogForm isBusy={isSaving} onSubmit={save} onCancel={onClose}>
        {edited === null && (
          <StockChoice
            stock={stock}
            error={
              isTaken
                ? "This stock already has a restriction. Edit that one."
                : isTried && stock === null
                  ? "Please choose a stock"
                  : undefined
            }
            onStock={(next) => {
              setIsTouched(true)
              setStock(next)
            }}
          />
        )}
        <RadioField
          label="Kind"
          choices={kindWords}
          value={draft.kind}
          onChoice={(kind) => change({ kind })}
          description={hints[draft.kind]}
        />
        {draft.kind === "RANGE" && (
          <div className={styles.pair}>
            <PercentField
              label="At least"
              value={draft.least}
              error={isTried ? fault : undefined}
              onChange={(least) => change({ least })}
            />
            <PercentField
              label="At most"
              value={draft.most}
              onChange={(most) => change({ most })}
            />
          </div>
        )}
        <Field
          label="Reason"
          placeholder="Shares of the client's employer"
          maxLength={300}
          data-autofocus={edited !== null || undefined}
          value={draft.reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
      </DialogForm>
    </Modal>
  )
}
