import { Fragment, type SyntheticEvent, useState } from "react"
import { today } from "@/lib/dates"
import { DialogForm } from "@/ui/form/dialog-form"
import { DateField } from "@/ui/form/date-field"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { RateField } from "@/ui/form/number-fields"
import { toast } from "@/ui/overlay/toast"
import { chargeKey, chargeName, chargeScope } from "./charge-words"
import { type ChargeVersion, toastFailure, useKeepCharges } from "./queries"
import styles from "./settings.module.css"

interface Draft {
  effectiveOn: string
  source: string
  rates: Record<string, number | "">
}

function faultsOf({ effectiveOn, source, rates }: Draft): Record<string, string> {
  const faults: Record<string, string> = {}
  if (effectiveOn === "") faults.effectiveOn = "Please select a valid date"
  if (source.trim() === "") faults.source = "Source is required"
  for (const [key, rate] of Object.entries(rates))
    if (rate === "") faults[key] = "Please enter a valid amount"
  return faults
}

interface ChargesFormProps {
  inForce: ChargeVersion
  /** All versions: one of the same day is replaced, unless somebody changed it meanwhile. */
  versions: ChargeVersion[]
  onClose: () => void
}

/** Adds charges from a date on, starting from those in force, with their source. */
export function ChargesForm({ inForce, versions, onClose }: ChargesFormProps) {
  const { lines } = inForce
  const [seen] = useState(versions)
  const [initial] = useState<Draft>(() => ({
    effectiveOn: "",
    source: "",
    rates: Object.fromEntries(lines.map((line) => [chargeKey(line), line.rate])),
  }))
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const save = useKeepCharges()
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }))
    setFaults({})
  }
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    const newFaults = faultsOf(draft)
    const form = event.currentTarget
    setFaults(newFaults)
    if (Object.keys(newFaults).length > 0) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus())
      return
    }
    if (save.isPending) return
    const { effectiveOn, source, rates } = draft
    const entered = lines.map(({ broker, exchange, side, charge, ...line }) => {
      const rate = rates[chargeKey({ broker, exchange, side, charge, ...line })]
      return { broker, exchange, side, charge, rate: Number(rate) }
    })
    const replaced = seen.find((version) => version.effectiveOn === effectiveOn)
    save.mutate(
      { effectiveOn, source, lines: entered, seenAt: replaced?.createdAt ?? null },
      {
        onSuccess: (message) => {
          toast.success(message || "Charges saved")
          onClose()
        },
        onError: toastFailure,
      },
    )
  }
  return (
    <Modal title="Add version" isOpen onClose={onClose} isDirty={draft !== initial} width={560}>
      <DialogForm isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
        <DateField
          label="Effective from"
          min={today()}
          data-autofocus
          description="Applies to rebalances from this date."
          value={draft.effectiveOn}
          error={faults.effectiveOn}
          onChange={(effectiveOn) => set({ effectiveOn })}
        />
        <Field
          label="Source"
          description="The circular or tariff of the changed rates."
          maxLength={300}
          value={draft.source}
          error={faults.source}
          onChange={(event) => set({ source: event.currentTarget.value })}
        />
        <div className={styles.rates} role="group" aria-label="Rates">
          {lines.map((line) => {
            const key = chargeKey(line)
            const scope = chargeScope(line)
            return (
              <Fragment key={key}>
                <span className={styles.rateName}>
                  {chargeName(line)}
                  <small>{scope}</small>
                </span>
                <RateField
                  label={`${chargeName(line)}, ${scope}`}
                  hideLabel
                  unit={line.unit === "rupees" ? "rupees" : "percent"}
                  value={draft.rates[key]}
                  error={faults[key]}
                  onChange={(rate) => {
                    if (rate !== draft.rates[key]) set({ rates: { ...draft.rates, [key]: rate } })
                  }}
                />
              </Fragment>
            )
          })}
        </div>
      </DialogForm>
    </Modal>
  )
}
