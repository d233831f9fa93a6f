const MAX_STEPS = 100

/** What was, before each change: undone one step at a time, and redone until something else is changed. */
export function createUndoStack<Step>(isSame: (step: Step, other: Step) => boolean) {
  let past: Step[] = []
  let future: Step[] = []
  let merging: string | null = null
  /** Takes the last step that differs from what is now: a change that was taken back by hand is no step. */
  const lastOther = (steps: Step[], now: Step) => {
    const place = steps.findLastIndex((step) => !isSame(step, now))
    return { step: steps[place], rest: steps.slice(0, Math.max(place, 0)) }
  }
  return {
    /** Remembers what was before a change. Changes with the same name in a row, as of typing, are one step. */
    record: (before: Step, merge: string | null = null) => {
      if (merge === null || merge !== merging) past = [...past, before].slice(-MAX_STEPS)
      merging = merge
      future = []
    },
    /** The next change is a step of its own. */
    settle: () => {
      merging = null
    },
    undo: (now: Step): Step | null => {
      const { step, rest } = lastOther(past, now)
      past = rest
      merging = null
      if (step === undefined) return null
      future = [...future, now]
      return step
    },
    redo: (now: Step): Step | null => {
      const { step, rest } = lastOther(future, now)
      future = rest
      merging = null
      if (step === undefined) return null
      past = [...past, now].slice(-MAX_STEPS)
      return step
    },
    clear: () => {
      past = []
      future = []
      merging = null
    },
  }
}
