import { Checkbox } from "@mantine/core"
import { Plus, Trash2 } from "lucide-react"
import { type SyntheticEvent, useState } from "react"
import { Button, IconButton } from "@/ui/button"
import { DialogForm } from "@/ui/form/dialog-form"
import { DateField } from "@/ui/form/date-field"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { MoneyField, PercentField } from "@/ui/form/number-fields"
import { Segments } from "@/ui/form/segments"
import {
  draftOf,
  faultsOf,
  newSlab,
  type ScheduleDraft,
  scheduleOf,
  type SlabDraft,
} from "./fee-schedule-draft"
import { type FeeScheduleVersion, useSetFeeSchedule } from "./fee-schedule-queries"
import styles from "./fee-schedule.module.css"
import { toastFailure } from "./queries"

const kinds = { SLABS: "Share of the gain", FIXED: "Fixed amount" } as const
const MOST_SLABS = 20
/** A gain can be many times the starting value. */
const MOST_GAIN = 10_000

interface FeeScheduleFormProps {
  /** The terms to start from. */
  terms: FeeScheduleVersion
  /** Changes this version; otherwise a new one is added. */
  isChange: boolean
  onClose: () => void
}

/** Adds or changes a version of the fee schedule. */
export function FeeScheduleForm({ terms, isChange, onClose }: FeeScheduleFormProps) {
  const [initial] = useState(() => draftOf(terms, isChange ? terms.effectiveOn : ""))
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const save = useSetFeeSchedule()

  const set = (change: Partial<ScheduleDraft>) => {
    setDraft((old) => ({ ...old, ...change }))
    setFaults({})
  }
  const submit = ({ currentTarget: form }: SyntheticEvent<HTMLFormElement>) => {
    const newFaults = faultsOf(draft)
    setFaults(newFaults)
    if (Object.keys(newFaults).length > 0) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus())
      return
    }
    if (save.isPending) return
    save.mutate(scheduleOf(draft, isChange ? terms : null), {
      onSuccess: onClose,
      onError: toastFailure,
    })
  }
  return (
    <Modal
      title={isChange ? "Change version" : "Add version"}
      isOpen
      onClose={onClose}
      isDirty={draft !== initial}
      width={480}
    >
      <DialogForm isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
        <DateField
          label="Effective from"
          data-autofocus
          description="Applies to fee periods that start on this date or later."
          value={draft.effectiveOn}
          disabled={isChange}
          error={faults.effectiveOn}
          onChange={(effectiveOn) => set({ effectiveOn })}
        />
        <div>
          <Segments
            label="Kind of fee"
            choices={kinds}
            value={draft.kind}
            onChoice={(kind) => set({ kind })}
          />
        </div>
        {draft.kind === "SLABS" ? (
          <Slabs slabs={draft.slabs} faults={faults} onSlabs={(slabs) => set({ slabs })} />
        ) : (
          <MoneyField
            label="Amount per period"
            value={draft.fixedAmount}
            error={faults.fixedAmount}
            onChange={(fixedAmount) => set({ fixedAmount })}
          />
        )}
        <Checkbox
          label="Above the high-water mark"
          description="A new period starts from the highest final value so far, not from the last one."
          size="sm"
          checked={draft.isAboveHighWaterMark}
          onChange={(event) => set({ isAboveHighWaterMark: event.currentTarget.checked })}
        />
        <MoneyField
          label="Yearly limit per family"
          description="For any twelve months, without tax. Leave it empty for no limit."
          value={draft.yearlyLimit}
          onChange={(yearlyLimit) => set({ yearlyLimit })}
        />
        <Field
          label="Source"
          description="The agreement, circular or decision behind these terms."
          maxLength={500}
          value={draft.source}
          onChange={(event) => set({ source: event.currentTarget.value })}
        />
      </DialogForm>
    </Modal>
  )
}

interface SlabsProps {
  slabs: SlabDraft[]
  faults: Record<string, string>
  onSlabs: (slabs: SlabDraft[]) => void
}

function Slabs({ slabs, faults, onSlabs }: SlabsProps) {
  const change = (key: number, part: Partial<SlabDraft>) =>
    onSlabs(slabs.map((slab) => (slab.key === key ? { ...slab, ...part } : slab)))
  return (
    <fieldset className={styles.slabs}>
      <legend>Slabs</legend>
      {slabs.map((slab, index) => (
        <div key={slab.key} className={styles.slab} role="group" aria-label={`Slab ${index + 1}`}>
          <PercentField
            label="From a gain of"
            max={MOST_GAIN}
            value={slab.from}
            error={faults[`from-${slab.key}`]}
            onChange={(from) => change(slab.key, { from })}
          />
          <PercentField
            label="Share of the gain"
            value={slab.percentage}
            error={faults[`percentage-${slab.key}`]}
            onChange={(percentage) => change(slab.key, { percentage })}
          />
          <IconButton
            label={`Remove slab ${index + 1}`}
            icon={<Trash2 size={15} aria-hidden="true" />}
            disabled={slabs.length === 1}
            onClick={() => onSlabs(slabs.filter(({ key }) => key !== slab.key))}
          />
        </div>
      ))}
      {slabs.length < MOST_SLABS && (
        <div>
          <Button
            kind="subtle"
            icon={<Plus size={15} aria-hidden="true" />}
            onClick={() => onSlabs([...slabs, newSlab()])}
          >
            Add slab
          </Button>
        </div>
      )}
    </fieldset>
  )
}
