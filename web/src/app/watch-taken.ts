import { api } from "@/api/client"
import { session } from "@/api/session"
import { onTaken } from "@/lib/taken"

/**
 * Records copies and prints in the audit trail. They have already happened, so an unreachable server is not
 * reported as a failure.
 */
export function watchTaken() {
  return onTaken((taken) => {
    if (session.get("token") === null) return
    api.POST("/admin/taken-away", { body: taken }).catch(() => undefined)
  })
}
