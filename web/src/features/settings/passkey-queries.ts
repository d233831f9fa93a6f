import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, ApiError, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { createPasskey, isPasskeyUnused } from "@/parts/passkeys"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"

export type Passkey = components["schemas"]["PasskeyRow"]

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: () => dataOf(api.GET("/auth/passkeys")),
})

const toastRefusal = (error: unknown) => {
  if (isPasskeyUnused(error)) toast.warning(error.message)
  else if (!(error instanceof ApiError) || error.errors.length === 0) toastFailure(error)
}

export function useAddPasskey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      const { options } = await dataOf(api.POST("/auth/passkeys/begin"))
      const credential = await createPasskey(options)
      return answerOf(api.POST("/auth/passkeys", { body: { name, credential } }))
    },
    onSuccess: () => {
      toast.success("Passkey added")
      return cache.invalidateQueries(passkeysQuery)
    },
    onError: toastRefusal,
  })
}

export function useRemovePasskey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/auth/passkeys/{passkey_id}", { params: { path: { passkey_id: id } } })),
    onSuccess: () => {
      toast.success("Passkey removed")
      return cache.invalidateQueries(passkeysQuery)
    },
    onError: toastRefusal,
  })
}
