/** What a person copied or printed: no file of ours went out, so only the browser knows of it. */
export interface Taken {
  /** The list, as the screen names it. */
  what: string
  way: "copied" | "printed"
  rows: number
  clientId?: string
}

let listener: ((taken: Taken) => void) | null = null

/** Tells whoever listens that something was taken away. */
export const noteTaken = (taken: Taken) => listener?.(taken)

/** One listener at a time; answers how to stop. */
export function onTaken(tell: (taken: Taken) => void) {
  listener = tell
  return () => {
    if (listener === tell) listener = null
  }
}
