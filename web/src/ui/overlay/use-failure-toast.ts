import { useEffect, useRef } from "react"
import { toast } from "./toast"

/**
 * Says in a toast that a list could not be fetched: once, however often it is asked for again, until it was fetched
 * (`fetchedAt`) or failed otherwise. `message` is null while nothing failed.
 */
export function useFailureToast(message: string | null, fetchedAt: number) {
  const told = useRef<string | null>(null)
  useEffect(() => {
    const failure = `${fetchedAt} ${message}`
    if (message === null || told.current === failure) return
    told.current = failure
    toast.error(message)
  }, [message, fetchedAt])
}
