import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router"
import { answerOf, api, ApiError, dataOf, messageOf } from "@/api/client"
import { session } from "@/api/session"
import { toast } from "@/ui/overlay/toast"

interface Credentials {
  email: string
  password: string
}

interface LogInDetails extends Credentials {
  totpCode: string
}

interface NewAccount extends Credentials {
  name: string
  setupCode: string
}

/** What the sign-up has to ask for. */
export const signUpQuery = queryOptions({
  queryKey: ["sign-up"],
  queryFn: () => dataOf(api.GET("/auth/sign-up")),
})

/** True when the server wants the set-up code of the installation, or another one. */
export const wantsSetupCode = (error: unknown) =>
  error instanceof ApiError && error.code === "setup_code_wrong"

const STAFF = ["ADMIN", "USER"]
/** How long "Signup successful!" stands before the product opens. */
const WELCOME = 1000

const tellRefusal = (error: unknown) => toast.error(messageOf(error, "An error occurred."))

/** True when the password was right and the code of the second factor is still missing, or is not the one. */
export const wantsTotpCode = (error: unknown) =>
  error instanceof ApiError && ["totp_required", "totp_wrong"].includes(error.code)

/**
 * Logs in and goes to where the person was, or to the dashboard. A temporary password leads to a new one first,
 * and where a second factor is asked of the role, to setting it up.
 */
export function useLogIn() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const { next } = useSearch({ from: "/auth/login" })
  const { brokerName, brokerId } = useLocation().state
  return useMutation({
    mutationFn: ({ totpCode, ...body }: LogInDetails) =>
      answerOf(api.POST("/auth/login", { body: { ...body, totpCode: totpCode || undefined } })),
    onSuccess: async ({ accessToken, data }) => {
      if (!STAFF.includes(data.role)) {
        toast.error("Only admin can login")
        return
      }
      cache.clear()
      session.start(accessToken, data.role)
      // Whatever is not plainly no first time is one.
      if ((data.isFirstTimeLogin as unknown) !== false) {
        await navigate({ to: "/auth/reset-password", replace: true })
      } else if (data.isSecondFactorDue) {
        await navigate({ to: "/auth/second-factor", search: { next }, replace: true })
      } else {
        await navigate({ href: next ?? "/home", state: { brokerName, brokerId }, replace: true })
      }
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== "totp_required") tellRefusal(error)
    },
  })
}

/** Signs up. Where an administrator must approve first, the server's sentence says so. */
export function useSignUp() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ setupCode, ...body }: NewAccount) =>
      answerOf(
        api.POST("/auth/register", { body: { ...body, setupCode: setupCode || undefined } }),
      ),
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
