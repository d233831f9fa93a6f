import { createStore } from "@/lib/store"
import { ApiError } from "./client"
import type { components } from "./schema"

/** What a second administrator is asked to approve. */
export type Asked = components["schemas"]["NewApproval"]["asked"]

/** What the person on this screen may ask for, since a call was refused; null when nothing is. */
export const approvalOffer = createStore<Asked | null>(null)

/**
 * Opens the dialog that asks for the approval which a refused call needs; false for any other error.
 * A refused download says itself what to ask for.
 */
export function offerApproval(error: unknown, asked?: Asked): boolean {
  if (!(error instanceof ApiError) || error.code !== "APPROVAL_REQUIRED") return false
  approvalOffer.set(asked ?? (error.details as Asked))
  return true
}
