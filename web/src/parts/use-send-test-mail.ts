import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api, messageFrom } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"

/** Sends a test mail to the signed-in person. */
export function useSendTestMail() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => messageFrom(api.POST("/settings/mail/test")),
    onSuccess: () => cache.invalidateQueries({ queryKey: firmQuery.queryKey }),
  })
}
