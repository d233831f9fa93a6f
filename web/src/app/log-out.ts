import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { answerOf, api, ApiError, messageOf } from "@/api/client"
import { session } from "@/api/session"
import { draft } from "@/features/advice/draft"
import { toast } from "@/ui/overlay/toast"

const failed = "Logout failed"

/** Ends the session on the server and here. A failure shows a toast; the person is logged out here anyway. */
export function useLogOut() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await answerOf(api.POST("/auth/logout"))
    } catch (error) {
      // The app reports a session that had already ended; the network's own message says nothing about the logout.
      const { status = 0 } = error instanceof ApiError ? error : {}
      if (status !== 401) toast.error(status === 0 ? failed : messageOf(error, failed))
    }
    session.clear()
    draft.logOut()
    cache.clear()
    await navigate({ to: "/auth/login" })
  }
}
