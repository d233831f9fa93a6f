import { useRef } from "react"
import { newIdempotencyKey } from "./client"

/** Keys for the acts of one form: the same body sent again is the same act, another body is another. */
export function useActKey() {
  const sent = useRef({ body: "", key: "" })
  return (what: unknown) => {
    const body = JSON.stringify(what)
    if (sent.current.body !== body) sent.current = { body, key: newIdempotencyKey() }
    return sent.current.key
  }
}
