import { type SyntheticEvent, useState } from "react"
import { DialogForm } from "@/ui/form/dialog-form"
import { DateField } from "@/ui/form/date-field"
import { Field } from "@/ui/form/fields"
import { RateField } from "@/ui/form/number-fields"
import { refusesFields } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"
import styles from "./settings.module.css"
import { type TaxRateLine, useEnterTaxRates } from "./tax-rate-queries"
import { isEditable, rateName } from "./tax-rate-words"

interface Draft {
  effectiveOn: string
  source: string
  values: Record<string, string>
}

type Faults = Partial<Record<string, string>>

function faultsOf({ effectiveOn, source, values }: Draft): Faults {
  const faults: Faults = {}
  if (effectiveOn === "") faults.effectiveOn = "Please select a valid date"
  if (source.trim() === "") faults.source = "Source is required"
  for (const [item, value] of Object.entries(values))
    if (value.trim() === "") faults[item] = "Please enter a value"
  return faults
}

interface TaxRatesFormProps {
  inForce: TaxRateLine[]
  onClose: () => void
}

/** Enters rates from a day on, starting from those in force; what does not change is left out. */
export function TaxRatesForm({ inForce, onClose }: TaxRatesFormProps) {
  const [lines] = useState(() => inForce.filter(isEditable))
  const [initial] = useState<Draft>(() => ({
    effectiveOn: "",
    source: "",
    values: Object.fromEntries(lines.map((line) => [line.item, line.value])),
  }))
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState<Faults>({})
  const enter = useEnterTaxRates()
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }))
    setFaults({})
  }
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    const found = faultsOf(draft)
    const form = event.currentTarget
    setFaults(found)
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus())
      return
    }
    if (enter.isPending) return
    const changed = lines.filter((line) => draft.values[line.item] !== line.value)
    const rates = changed.map(({ item }) => ({ item, value: draft.values[item] ?? "" }))
    enter.mutate(
      { effectiveOn: draft.effectiveOn, source: draft.source, rates },
      {
        onSuccess: ({ message }) => {
          toast.success(message ?? "Tax rates saved")
          onClose()
        },
        onError: (error) => {
          if (!refusesFields(error) || error.errors.length === 0) toastFailure(error)
          else setFaults(Object.fromEntries(error.errors.map((each) => [each.field, each.message])))
        },
      },
    )
  }
  return (
    <Modal title="Add tax rates" isOpen onClose={onClose} isDirty={draft !== initial} width={560}>
      <DialogForm isBusy={enter.isPending} onSubmit={submit} onCancel={onClose}>
        <DateField
          label="Effective from"
          data-autofocus
          description="In the present tax year or later. Sales from this day on are taxed by these rates."
          value={draft.effectiveOn}
          error={faults.effectiveOn}
          onChange={(effectiveOn) => set({ effectiveOn })}
        />
        <Field
          label="Source"
          description="The act or notification of the changed rates. Statements name it."
          maxLength={300}
          value={draft.source}
          error={faults.source}
          onChange={(event) => set({ source: event.currentTarget.value })}
        />
        <div className={styles.rates} role="group" aria-label="Rates">
          {lines.map((line) => (
            <RateRow
              key={line.item}
              line={line}
              value={draft.values[line.item] ?? ""}
              error={faults[line.item]}
              onChange={(value) => {
                if (value !== draft.values[line.item])
                  set({ values: { ...draft.values, [line.item]: value } })
              }}
            />
          ))}
        </div>
      </DialogForm>
    </Modal>
  )
}

interface RateRowProps {
  line: TaxRateLine
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function RateRow({ line, value, error, onChange }: RateRowProps) {
  const name = rateName(line)
  const label = line.unit === "months" ? `${name}, months` : name
  return (
    <>
      <span className={styles.rateName}>{label}</span>
      {line.unit === "text" ? (
        <Field
          aria-label={label}
          maxLength={40}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <RateField
          label={label}
          hideLabel
          unit={line.unit === "percent" || line.unit === "rupees" ? line.unit : "none"}
          value={value === "" ? "" : Number(value)}
          error={error}
          onChange={(rate) => onChange(rate === "" ? "" : String(rate))}
        />
      )}
    </>
  )
}
