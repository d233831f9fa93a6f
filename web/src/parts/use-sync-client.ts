import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api, messageFrom } from "@/api/client"

/** Reads a client from the broker now. The lists show the result, a refusal too. */
export function useSyncClient() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, acceptEmpty = false }: { id: string; acceptEmpty?: boolean }) =>
      messageFrom(
        api.POST("/admin/clients/client/{client_id}/sync", {
          params: { path: { client_id: id } },
          body: { acceptEmpty },
        }),
      ),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["readiness"] }),
        cache.invalidateQueries({ queryKey: ["clients"] }),
      ]),
  })
}
