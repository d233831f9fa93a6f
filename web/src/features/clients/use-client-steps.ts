import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect } from "react"
import { messageOf } from "@/api/client"
import { chooseClient } from "@/api/session"
import { toast } from "@/ui/overlay/toast"
import { clientProfileQuery } from "./queries"

const isElsewhere = (target: EventTarget | null) =>
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))) ||
  document.querySelector("[role='dialog'], [role='alertdialog']") !== null

interface Neighbours {
  previousClientId: string | null
  nextClientId: string | null
}

/** Steps to the client before or after this one, by button and with `[` and `]`; the tab stays. */
export function useClientSteps(neighbours: Neighbours | undefined) {
  const cache = useQueryClient()
  const before = neighbours?.previousClientId ?? null
  const after = neighbours?.nextClientId ?? null

  const stepTo = useCallback(
    async (clientId: string | null) => {
      if (clientId === null) return
      try {
        // The neighbour's code is only in its record.
        const client = await cache.query({ ...clientProfileQuery(clientId), staleTime: 5_000 })
        chooseClient(clientId, client.clientId)
      } catch (error) {
        toast.error(messageOf(error, "Failed to fetch client data"))
      }
    },
    [cache],
  )
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      if (event.key === "[") void stepTo(before)
      else if (event.key === "]") void stepTo(after)
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [stepTo, before, after])

  return { before, after, stepTo }
}
