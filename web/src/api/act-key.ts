import { useRef } from "react"
import { newIdempotencyKey } from "./client"

/** Idempotency keys for one form: the same body has the same key, another body a new one. */
export function useActKey() {
  const sent = useRef({ body: "", key: "" })
  return (what: unknown) => {
    const body = JSON.stringify(what)
    if (sent.current.body !== body) sent.current = { body, key: newIdempotencyKey() }
    return sent.current.key
  }
}
