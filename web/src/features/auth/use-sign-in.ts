import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router"
import { answerOf, api, ApiError, dataOf, messageOf } from "@/api/client"
import type { components } from "@/api/schema"
import { session } from "@/api/session"
import { leaveTo } from "@/lib/leave"
import { askPasskey, isPasskeyUnused } from "@/parts/passkeys"
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
 * Begins the session and returns to the person's last address, or to the dashboard. A temporary password must be
 * changed first, and a second factor that the role requires must be set up first.
 */
function useEnter() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const { next } = useSearch({ strict: false })
  const { brokerName, brokerId } = useLocation().state
  return async ({ accessToken, data }: components["schemas"]["LoggedIn"]) => {
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
  }
}

const toastUnlessCode = (error: unknown) => {
  if (!(error instanceof ApiError) || error.code !== "totp_required") toastError(error)
}

/** Logs in with a password. */
export function useLogIn() {
  const enter = useEnter()
  return useMutation({
    mutationFn: ({ totpCode, ...body }: LogInDetails) =>
      answerOf(api.POST("/auth/login", { body: { ...body, totpCode: totpCode || undefined } })),
    onSuccess: enter,
    onError: toastUnlessCode,
  })
}

/** Logs in with a passkey of this device, which asks for no code. */
export function usePasskeyLogIn() {
  const enter = useEnter()
  return useMutation({
    mutationFn: async () => {
      const { options } = await dataOf(api.POST("/auth/passkeys/sign-in/begin"))
      const credential = await askPasskey(options)
      return answerOf(api.POST("/auth/passkeys/sign-in", { body: { credential } }))
    },
    onSuccess: enter,
    onError: (error) => {
      if (isPasskeyUnused(error)) toast.warning(error.message)
      else toastError(error)
    },
  })
}

/** Leaves for the firm's single sign-on, which sends the person back to `/auth/sso`. */
export function useBeginSso() {
  const { next } = useSearch({ strict: false })
  return useMutation({
    mutationFn: () => dataOf(api.POST("/auth/sso/begin")),
    onSuccess: ({ address }) => {
      if (next === undefined) session.remove("next")
      else session.set("next", next)
      // Of the operator's own settings; checked all the same, since the browser goes there.
      if (/^https?:\/\//.test(address)) leaveTo(address)
    },
    onError: toastError,
  })
}

/** Opens the session of a person who is back from the single sign-on. */
export function useEndSso() {
  const enter = useEnter()
  return useMutation({
    mutationFn: (totpCode: string) =>
      answerOf(api.POST("/auth/sso/session", { body: { totpCode: totpCode || undefined } })),
    onSuccess: enter,
    onError: (error) => {
      // Anything else the page says itself.
      if (error instanceof ApiError && error.code === "totp_wrong") toastError(error)
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
