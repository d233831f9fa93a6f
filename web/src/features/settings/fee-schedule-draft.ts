import type { FeeScheduleVersion, NewFeeSchedule } from "./fee-schedule-queries"

/** One slab in the form: the share of the gain charged from a gain on, both in percent. */
export interface SlabDraft {
  key: number
  from: number | ""
  percentage: number | ""
}

export interface ScheduleDraft {
  effectiveOn: string
  kind: FeeScheduleVersion["kind"]
  slabs: SlabDraft[]
  fixedAmount: number | ""
  isAboveHighWaterMark: boolean
  yearlyLimit: number | ""
  source: string
}

let lastKey = 0

export const newSlab = (from: number | "" = "", percentage: number | "" = ""): SlabDraft => {
  lastKey += 1
  return { key: lastKey, from, percentage }
}

/** The draft to start from: the terms of a version, effective on another day if it is a new one. */
export const draftOf = (version: FeeScheduleVersion, effectiveOn: string): ScheduleDraft => ({
  effectiveOn,
  kind: version.kind,
  slabs:
    version.slabs.length > 0
      ? version.slabs.map((slab) => newSlab(slab.from, slab.percentage))
      : [newSlab(0)],
  fixedAmount: version.fixedAmount ?? "",
  isAboveHighWaterMark: version.isAboveHighWaterMark,
  yearlyLimit: version.yearlyLimit ?? "",
  source: effectiveOn === "" ? "" : version.source,
})

const fillAll = "Please fill all required fields."

/** The errors by field; those of slabs by their keys. */
export function faultsOf(draft: ScheduleDraft): Record<string, string> {
  const faults: Record<string, string> = {}
  if (draft.effectiveOn === "") faults.effectiveOn = "Please select a valid date"
  if (draft.kind === "FIXED") {
    if (draft.fixedAmount === "") faults.fixedAmount = fillAll
    return faults
  }
  draft.slabs.forEach((slab, index) => {
    const before = draft.slabs[index - 1]?.from
    if (slab.from === "") faults[`from-${slab.key}`] = fillAll
    else if (typeof before === "number" && slab.from <= before)
      faults[`from-${slab.key}`] = "Each slab starts above the one before."
    if (slab.percentage === "") faults[`percentage-${slab.key}`] = fillAll
  })
  return faults
}

/** The body of the call for a draft without errors. `seen` is the version to change; null for a new one. */
export const scheduleOf = (
  draft: ScheduleDraft,
  seen: FeeScheduleVersion | null,
): NewFeeSchedule => ({
  seenAt: seen?.createdAt ?? null,
  effectiveOn: draft.effectiveOn,
  kind: draft.kind,
  slabs:
    draft.kind === "SLABS"
      ? draft.slabs.map(({ from, percentage }) => ({
          from: Number(from),
          percentage: Number(percentage),
        }))
      : [],
  fixedAmount: draft.kind === "FIXED" ? Number(draft.fixedAmount) : null,
  isAboveHighWaterMark: draft.isAboveHighWaterMark,
  yearlyLimit: draft.yearlyLimit === "" ? null : draft.yearlyLimit,
  source: draft.source.trim(),
})
