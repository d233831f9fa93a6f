import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { answerOf, api, messageOf } from "@/api/client"
import { session } from "@/api/session"
import { toast } from "@/ui/toast"

/** Ends the session on the server and here. A failure is told, and the person is logged out here all the same. */
export function useLogOut() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await answerOf(api.POST("/auth/logout"))
    } catch (error) {
      toast.error(messageOf(error, "Logout failed"))
    }
    session.clear()
    cache.clear()
    await navigate({ to: "/auth/login" })
  }
}
