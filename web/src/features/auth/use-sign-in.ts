import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { answerOf, api, messageOf } from "@/api/client"
import { session } from "@/api/session"
import { toast } from "@/ui/toast"

interface Credentials {
  email: string
  password: string
}

interface NewAccount extends Credentials {
  name: string
}

const STAFF = ["ADMIN", "USER"]
/** How long "Signup successful!" stands before the product opens. */
const WELCOME = 1000

const tellRefusal = (error: unknown) => toast.error(messageOf(error, "An error occurred."))

/** Logs in and goes to where the person was, or to the dashboard. */
export function useLogIn() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const { next } = useSearch({ from: "/auth/login" })
  return useMutation({
    mutationFn: (body: Credentials) => answerOf(api.POST("/auth/login", { body })),
    onSuccess: async ({ accessToken, data }) => {
      if (!STAFF.includes(data.role)) {
        toast.error("Only admin can login")
        return
      }
      if (data.isFirstTimeLogin) {
        toast.warning("Set a new password to continue.")
        return
      }
      cache.clear()
      session.start(accessToken, data.role)
      await navigate({ href: next ?? "/home", replace: true })
    },
    onError: tellRefusal,
  })
}

/** Signs up. Where an administrator must approve first, the server's sentence says so. */
export function useSignUp() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: NewAccount) => answerOf(api.POST("/auth/register", { body })),
    onSuccess: async ({ success, accessToken, data, message }) => {
      if (!success || accessToken === null || data === null) {
        toast.warning(message || "Signup failed.")
        return
      }
      cache.clear()
      session.start(accessToken, data.role)
      toast.success("Signup successful!")
      await new Promise((resolve) => setTimeout(resolve, WELCOME))
      await navigate({ to: "/home" })
    },
    onError: tellRefusal,
  })
}
