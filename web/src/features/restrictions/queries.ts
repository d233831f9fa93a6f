import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api, dataOf, messageOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import { restrictionsQuery } from "@/api/shared-queries"
import { toast } from "@/ui/overlay/toast"
import type { components } from "@/api/schema"

export type Restriction = components["schemas"]["RestrictionRow"]

export const keyOf = ({
  exchange,
  tradingSymbol,
}: Pick<Restriction, "exchange" | "tradingSymbol">) => `${exchange}:${tradingSymbol}`

/** All of a client's restrictions, as a file. */
export const restrictionsFile = (clientId: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/restrictions/export", {
      params: { path: { client_id: clientId }, query: { format } },
      parseAs: "blob",
    }),
  )

/** Replaces the whole list. The server refuses it if the list changed since `version`; the newest is then read. */
export function useSaveRestrictions(clientId: string) {
  const cache = useQueryClient()
  const put = useMutation({
    mutationFn: (body: { version: number | null; restrictions: Restriction[] }) =>
      dataOf(
        api.PUT("/admin/clients/client/{client_id}/restrictions", {
          params: { path: { client_id: clientId } },
          body: {
            version: body.version,
            restrictions: body.restrictions.map(
              ({ tradingSymbol, exchange, instrumentToken, ...rule }) => ({
                tradingSymbol,
                exchange,
                instrumentToken,
                kind: rule.kind,
                minimumPercentage: rule.minimumPercentage,
                maximumPercentage: rule.maximumPercentage,
                reason: rule.reason,
              }),
            ),
          },
        }),
      ),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries(restrictionsQuery(clientId)),
        cache.invalidateQueries({ queryKey: ["book"] }),
      ]),
  })
  const save = async (version: number | null, next: Restriction[], onDone: () => void) => {
    try {
      await put.mutateAsync({ version, restrictions: next })
      onDone()
    } catch (error) {
      toast.error(messageOf(error, "Something went wrong"))
    }
  }
  return { save, isSaving: put.isPending }
}
