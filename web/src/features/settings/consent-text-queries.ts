import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"

export type ConsentText = components["schemas"]["VersionedTextShown"]
export type TextVersion = components["schemas"]["TextShown"]
export type EnteredText = components["schemas"]["EnteredText"]

export const consentTextsQuery = queryOptions({
  queryKey: ["settings", "consent-texts"],
  queryFn: () => dataOf(api.GET("/settings/consent-texts")),
})

export function useAddConsentText() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EnteredText) => dataOf(api.POST("/settings/consent-texts", { body })),
    onSuccess: (texts) => cache.setQueryData(consentTextsQuery.queryKey, texts),
    // A refusal may mean that the list on show is out of date.
    onError: () => cache.invalidateQueries(consentTextsQuery),
  })
}
