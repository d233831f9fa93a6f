import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { answerOf, api, ApiError, dataOf } from "@/api/client"
import { session } from "@/api/session"
import { toastCentre } from "@/ui/overlay/toast"

/** The challenge of a one-time code; passed in the navigation state, never in the address. */
export interface Challenge {
  email: string
  challengeId: string
  /** When it was requested, in milliseconds since 1970. */
  askedAt: number
}

export interface NewPassword {
  password: string
  currentPassword: string
}

const wrong = "Something went wrong"
const TOO_MANY = 429

/** The server's message, or the specification's when there is none or the server was not reached. */
const messageOrDefault = (error: unknown) =>
  error instanceof ApiError && !error.isNetwork && error.message !== "" ? error.message : wrong

/** Shows the server's message for rate limits and invalid fields, and a general one for anything else. */
function toastError(error: unknown) {
  const isSpecific =
    error instanceof ApiError && (error.status === TOO_MANY || error.errors.length > 0)
  toastCentre.error(isSpecific ? messageOrDefault(error) : wrong)
}

/** Requests the mail with a reset link. The answer is the same whether the account exists or not. */
export const useRequestLink = () =>
  useMutation({
    mutationFn: (body: { email: string }) =>
      answerOf(api.POST("/auth/forget-password/request", { body })),
    onSuccess: ({ success, message }) => {
      if (success) toastCentre.success("Reset link sent to your email")
      else toastCentre.warning(message || "Failed to send reset link")
    },
    onError: toastError,
  })

/** Requests a one-time code and opens the screen to enter it. */
export function useRequestCode() {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (email: string): Promise<Challenge> => {
      const call = api.POST("/auth/otp/request", { body: { email } })
      return { email, challengeId: (await dataOf(call)).challengeId, askedAt: Date.now() }
    },
    onSuccess: (challenge) => navigate({ to: "/auth/otp", state: { challenge }, replace: true }),
    onError: toastError,
  })
}

/** Checks a code on the server; the answer has the token to set a new password. */
export const useVerifyCode = () =>
  useMutation({
    mutationFn: (body: { challengeId: string; code: string }) =>
      dataOf(api.POST("/auth/otp/verify", { body })),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) toastError(error)
    },
  })

/** Sets a new password by the token of a mailed link or of a one-time code. */
export const useConfirmReset = (token: string) =>
  useNewPassword(({ password }) =>
    answerOf(
      api.POST("/auth/forget-password/confirm/{token}", {
        params: { path: { token } },
        body: { password },
      }),
    ),
  )

/** Sets a new password in the current session. */
export const useChangePassword = () =>
  useNewPassword((body) => answerOf(api.POST("/auth/reset-password", { body })))

/** True when the server requires the current password; the form then shows a field for it. */
export const wantsCurrentPassword = (error: unknown) =>
  error instanceof ApiError && error.code === "current_password_needed"

function useNewPassword(
  send: (values: NewPassword) => Promise<{ success: boolean; message: string }>,
) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ success, message }) => {
      if (!success) {
        toastCentre.warning(message || "Failed to reset password")
        return
      }
      toastCentre.success(message)
      // The server has ended every session of the account.
      session.clear()
      cache.clear()
      await navigate({ to: "/auth/login", replace: true })
    },
    onError: (error) => {
      // The app reports the end of the session and opens the login page.
      const isSessionEnd = error instanceof ApiError && error.status === 401
      if (!isSessionEnd && !wantsCurrentPassword(error)) toastCentre.error(messageOrDefault(error))
    },
  })
}
