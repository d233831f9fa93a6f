import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { answerOf, api, ApiError, dataOf } from "@/api/client"
import { session } from "@/api/session"
import { toastCentre } from "@/ui/overlay/toast"

/** What a one-time code is met with; it travels by navigation, never in the address. */
export interface Challenge {
  email: string
  challengeId: string
  /** When it was asked for, in milliseconds since 1970. */
  askedAt: number
}

export interface NewPassword {
  password: string
  currentPassword: string
}

const wrong = "Something went wrong"
const TOO_MANY = 429

/** The server's sentence, where it has one; that nothing was reached has the specification's words. */
const sentenceOf = (error: unknown) =>
  error instanceof ApiError && !error.isNetwork && error.message !== "" ? error.message : wrong

/** Waiting and single fields have sentences of their own; anything else is told in one. */
function tellFault(error: unknown) {
  const isOwn = error instanceof ApiError && (error.status === TOO_MANY || error.errors.length > 0)
  toastCentre.error(isOwn ? sentenceOf(error) : wrong)
}

/** Asks for the mail with a link. The answer is the same whether there is such an account or not. */
export const useAskLink = () =>
  useMutation({
    mutationFn: (body: { email: string }) =>
      answerOf(api.POST("/auth/forget-password/request", { body })),
    onSuccess: ({ success, message }) => {
      if (success) toastCentre.success("Reset link sent to your email")
      else toastCentre.warning(message || "Failed to send reset link")
    },
    onError: tellFault,
  })

/** Asks for a one-time code and goes to where it is typed. */
export function useAskCode() {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (email: string): Promise<Challenge> => {
      const asked = api.POST("/auth/otp/request", { body: { email } })
      return { email, challengeId: (await dataOf(asked)).challengeId, askedAt: Date.now() }
    },
    onSuccess: (challenge) => navigate({ to: "/auth/otp", state: { challenge }, replace: true }),
    onError: tellFault,
  })
}

/** Compares a code on the server; what it answers sets a new password. */
export const useVerifyCode = () =>
  useMutation({
    mutationFn: (body: { challengeId: string; code: string }) =>
      dataOf(api.POST("/auth/otp/verify", { body })),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) tellFault(error)
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

/** Sets a new password in the session of now. */
export const useChangePassword = () =>
  useNewPassword((body) => answerOf(api.POST("/auth/reset-password", { body })))

/** True when the server asks for the present password, which the form then shows a field for. */
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
      // Every session of the account is over now.
      session.clear()
      cache.clear()
      await navigate({ to: "/auth/login", replace: true })
    },
    onError: (error) => {
      // That the session is over is told by the app, which also leads to the log-in.
      const isTold = error instanceof ApiError && error.status === 401
      if (!isTold && !wantsCurrentPassword(error)) toastCentre.error(sentenceOf(error))
    },
  })
}
