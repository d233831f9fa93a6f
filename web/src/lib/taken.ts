/** What a person copied or printed; the server does not see it, so the browser reports it. */
export interface Taken {
  /** The list, as the screen names it. */
  what: string
  way: "copied" | "printed"
  rows: number
  clientId?: string
}

let listener: ((taken: Taken) => void) | null = null

/** Notifies the listener that something was copied or printed. */
export const noteTaken = (taken: Taken) => listener?.(taken)

/** One listener at a time; returns how to stop. */
export function onTaken(onTake: (taken: Taken) => void) {
  listener = onTake
  return () => {
    if (listener === onTake) listener = null
  }
}
