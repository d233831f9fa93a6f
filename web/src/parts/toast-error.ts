import { messageOf } from "@/api/client"
import { toast, toastCentre } from "@/ui/overlay/toast"

/** Shows the server's sentence about a call that failed. */
export const toastError = (error: unknown) => toast.error(messageOf(error, "Something went wrong"))

/** The same in the advice and rebalancing flows. */
export const toastCentreError = (error: unknown) =>
  toastCentre.error(messageOf(error, "Something went wrong"))
