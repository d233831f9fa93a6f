export interface Debounced<Parts extends unknown[]> {
  (...parts: Parts): void
  /** Forgets a call that still waits. */
  cancel: () => void
}

/** Calls `act` once the calls have rested for `wait` milliseconds, with the last ones' arguments. */
export function debounce<Parts extends unknown[]>(
  act: (...parts: Parts) => void,
  wait: number,
): Debounced<Parts> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (...parts: Parts) => {
    clearTimeout(timer)
    timer = setTimeout(() => act(...parts), wait)
  }
  later.cancel = () => clearTimeout(timer)
  return later
}
