import { createStore } from "@/lib/store"

type ToastKind = "success" | "error" | "warning" | "info"
export type ToastPlace = "right" | "centre"

export interface Toast {
  id: number
  kind: ToastKind
  place: ToastPlace
  message: string
  detail?: string
  /** How often the same message came while it was on show. */
  times: number
  lasts: number
  undo?: () => void
}

interface More {
  /** A second, quieter line. */
  detail?: string
  /** Offers to take the act back. */
  undo?: () => void
}

const MOST = 3
const LASTS = { right: 5000, centre: 3000 }

export const toasts = createStore<Toast[]>([])
let lastId = 0

function show(kind: ToastKind, place: ToastPlace, message: string, more: More = {}) {
  const shown = toasts.get()
  const same = shown.find((each) => each.message === message && each.place === place)
  lastId += 1
  // A new id restarts the time.
  const next: Toast = {
    id: lastId,
    kind,
    place,
    message,
    times: (same?.times ?? 0) + 1,
    lasts: LASTS[place],
    ...more,
  }
  toasts.set([...shown.filter((each) => each !== same), next].slice(-MOST))
}

export const dismiss = (id: number) => toasts.set(toasts.get().filter((each) => each.id !== id))

const at = (place: ToastPlace) => ({
  success: (message: string, more?: More) => show("success", place, message, more),
  error: (message: string, more?: More) => show("error", place, message, more),
  warning: (message: string, more?: More) => show("warning", place, message, more),
  info: (message: string, more?: More) => show("info", place, message, more),
})

/** Toasts top right for 5 s. At most three; a message that repeats merges with the one on show. */
export const toast = at("right")

/** Toasts top centre for 3 s, as the advice and reset flows show them. */
export const toastCentre = at("centre")
