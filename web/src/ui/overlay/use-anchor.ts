import { type SyntheticEvent, useCallback, useRef, useState } from "react"

/**
 * A button and what it opens at its place; a second press closes it. `mayOpen` is asked first where a press does not
 * always open something.
 */
export function useAnchor(mayOpen?: () => Promise<boolean>) {
  const [at, setAt] = useState<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  const close = useCallback(() => setAt(null), [])
  const press = async ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const closes = wasOpen.current
    wasOpen.current = false
    if (closes) close()
    else if (!mayOpen || (await mayOpen())) setAt(currentTarget)
  }
  return {
    /** The pressed button; null while nothing is open. */
    at,
    close,
    buttonProps: {
      "aria-expanded": at !== null,
      // What is open closes with the press itself, before the click.
      onPointerDown: () => {
        wasOpen.current = at !== null
      },
      onClick: (event: SyntheticEvent<HTMLElement>) => void press(event),
    },
  }
}
