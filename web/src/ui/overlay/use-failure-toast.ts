import { useEffect, useRef } from "react"
import { toast } from "./toast"

/**
 * Shows a toast when a list could not be fetched: once, however often it is retried, until it was fetched
 * (`fetchedAt`) or failed with another message. `message` is null while nothing failed.
 */
export function useFailureToast(message: string | null, fetchedAt: number) {
  const lastShown = useRef<string | null>(null)
  useEffect(() => {
    const failure = `${fetchedAt} ${message}`
    if (message === null || lastShown.current === failure) return
    lastShown.current = failure
    toast.error(message)
  }, [message, fetchedAt])
}
