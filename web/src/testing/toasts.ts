import { toasts } from "@/ui/overlay/toast"

export const toastMessages = () => toasts.get().map(({ message }) => message)

/** The toasts on show: kind, place, message and milliseconds. */
export const shownToasts = () =>
  toasts.get().map(({ kind, place, message, lasts }) => [kind, place, message, lasts])
