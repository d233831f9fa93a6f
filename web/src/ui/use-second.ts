import { useSyncExternalStore } from "react"

let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) {
    now = new Date()
    timer = setInterval(() => {
      now = new Date()
      for (const each of [...listeners]) each()
    }, 1000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** The time, updated each second, for a component that shows an age. */
export const useSecond = () => useSyncExternalStore(subscribe, () => now)
