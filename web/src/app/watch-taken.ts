import { api } from "@/api/client"
import { session } from "@/api/session"
import { onTaken } from "@/lib/taken"

/**
 * Copies and prints are noted in the audit trail. They have happened by then: a server that cannot be
 * reached is no reason to say that they failed.
 */
export function watchTaken() {
  return onTaken((taken) => {
    if (session.get("token") === null) return
    api.POST("/admin/taken-away", { body: taken }).catch(() => undefined)
  })
}
