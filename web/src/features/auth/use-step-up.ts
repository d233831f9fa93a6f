import { queryOptions, useMutation } from "@tanstack/react-query"
import { answerOf, api, ApiError, dataOf, messageOf } from "@/api/client"
import { askPasskey, isPasskeyUnused } from "@/parts/passkeys"
import { toast } from "@/ui/overlay/toast"

export const proofWaysQuery = queryOptions({
  queryKey: ["step-up"],
  queryFn: () => dataOf(api.GET("/auth/step-up")),
  // A passkey or a second factor may have come or gone.
  gcTime: 0,
  refetchOnWindowFocus: false,
})

/** Shows errors of fields at the fields, and others in a toast. */
const toastError = (error: unknown) => {
  if (isPasskeyUnused(error)) toast.warning(error.message)
  else if (!(error instanceof ApiError) || error.errors.length === 0)
    toast.error(messageOf(error, "Something went wrong"))
}

export const useProveByPassword = (onProved: () => void) =>
  useMutation({
    mutationFn: (body: { password: string; totpCode: string }) =>
      answerOf(api.POST("/auth/step-up", { body })),
    onSuccess: onProved,
    onError: toastError,
  })

export const useProveByPasskey = (onProved: () => void) =>
  useMutation({
    mutationFn: async () => {
      const { options } = await dataOf(api.POST("/auth/step-up/passkey/begin"))
      const credential = await askPasskey(options)
      return answerOf(api.POST("/auth/step-up/passkey", { body: { credential } }))
    },
    onSuccess: onProved,
    onError: toastError,
  })
