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

/** Which fields the sign-up needs. */
export const signUpQuery = queryOptions({
  queryKey: ["sign-up"],
  queryFn: () => dataOf(api.GET("/auth/sign-up")),
})

/** True when the set-up code of the installation is missing or wrong. */
export const wantsSetupCode = (error: unknown) =>
  error instanceof ApiError && error.code === "setup_code_wrong"

const STAFF = ["ADMIN", "USER"]
/** How long "Signup successful!" shows before the product opens, in milliseconds. */
const WELCOME = 1000

const toastError = (error: unknown) => toast.error(messageOf(error, "An error occurred."))

/** True when the password is right and the second factor's code is missing or wrong. */
export const wantsTotpCode = (error: unknown) =>
  error instanceof ApiError && ["totp_required", "totp_wrong"].includes(error.code)

/**
 * Logs in and returns to the person's last address, or to the dashboard. A temporary password must be changed first,
 * and a second factor that the role requires must be set up first.
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
      // Anything but false counts as a first login.
      if ((data.isFirstTimeLogin as unknown) !== false) {
        await navigate({ to: "/auth/reset-password", replace: true })
      } else if (data.isSecondFactorDue) {
        await navigate({ to: "/auth/second-factor", search: { next }, replace: true })
      } else {
        await navigate({ href: next ?? "/home", state: { brokerName, brokerId }, replace: true })
      }
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== "totp_required") toastError(error)
    },
  })
}

/** Signs up. Where an administrator must approve first, the server's message says so. */
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
    onError: toastError,
  })
}
