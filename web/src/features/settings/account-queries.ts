import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, ApiError, dataOf, messageOf } from "@/api/client"
import type { components } from "@/api/schema"
import { signedInQuery } from "@/api/shared-queries"
import { toast } from "@/ui/overlay/toast"

type Schemas = components["schemas"]
/** A live session; in the list of all sessions with its person. */
export type LiveSession = Schemas["SessionRow"] & Partial<Schemas["AnySessionRow"]>
export type Whose = "own" | "all"

const wrong = "Something went wrong"

export const sessionsQuery = (whose: Whose) =>
  queryOptions({
    queryKey: ["sessions", whose],
    queryFn: (): Promise<LiveSession[]> =>
      whose === "own" ? dataOf(api.GET("/auth/sessions")) : dataOf(api.GET("/admin/sessions")),
  })

export const secondFactorQuery = queryOptions({
  queryKey: ["second-factor"],
  queryFn: () => dataOf(api.GET("/auth/totp")),
})

/** Shows errors of fields at the fields, and others in a toast. */
const toastError = (error: unknown) => {
  if (!(error instanceof ApiError) || error.errors.length === 0)
    toast.error(messageOf(error, wrong))
}

export function useEndSession(whose: Whose) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => {
      const params = { path: { session_id: id } }
      return whose === "own"
        ? answerOf(api.DELETE("/auth/sessions/{session_id}", { params }))
        : answerOf(api.DELETE("/admin/sessions/{session_id}", { params }))
    },
    onSuccess: () => toast.success("Session ended"),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: ["sessions"] }),
  })
}

export const useBeginSecondFactor = () =>
  useMutation({
    mutationFn: (password: string) => dataOf(api.POST("/auth/totp/enrol", { body: { password } })),
    onError: toastError,
  })

export function useConfirmSecondFactor() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => dataOf(api.POST("/auth/totp/confirm", { body: { code } })),
    onSuccess: () => Promise.all([refreshed(cache), cache.invalidateQueries(signedInQuery)]),
    onError: toastError,
  })
}

export function useEndSecondFactor() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (password: string) =>
      answerOf(api.POST("/auth/totp/disable", { body: { password } })),
    onSuccess: () => {
      toast.success("Second factor removed")
      return refreshed(cache)
    },
    onError: toastError,
  })
}

const refreshed = (cache: ReturnType<typeof useQueryClient>) =>
  cache.invalidateQueries(secondFactorQuery)
