import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { debounce } from "@/lib/debounce"
import { api, dataOf } from "./client"
import type { components } from "./schema"

type Schemas = components["schemas"]
export type Check = Schemas["CheckShown"]
export type ToCheck = Schemas["AdviceToSend"] | Schemas["RunToCheck"]

/** A pause in the typing after which the server is asked. */
const REST = 400
/** Prices and holdings get older while a dialog is open. */
const AGAIN_AFTER = 30_000

const checksQuery = (body: ToCheck) =>
  queryOptions({
    queryKey: ["before-send", body],
    queryFn: () => dataOf(api.POST("/admin/advice/preflight", { body })),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: AGAIN_AFTER,
    placeholderData: keepPreviousData,
  })

/** The checks that stand before this send, and what of them the person has read. */
export function useBeforeSend(body: ToCheck) {
  const text = JSON.stringify(body)
  const [rested, setRested] = useState(text)
  const rest = useMemo(() => debounce(setRested, REST), [])
  useEffect(() => {
    rest(text)
    return rest.cancel
  }, [rest, text])
  const checks = useQuery(checksQuery(JSON.parse(rested) as ToCheck))
  const found = checks.data ?? []
  const warnings = found.filter(({ level }) => level === "WARN").map(({ id }) => id)
  const [readIds, setReadIds] = useState<string[]>([])
  // What begins to warn later is to be read as well.
  const isRead = warnings.every((id) => readIds.includes(id))
  const isBlocked = found.some(({ level }) => level === "BLOCK")
  return {
    checks: found,
    error: checks.error,
    retry: () => void checks.refetch(),
    isRead,
    setIsRead: (isNowRead: boolean) => setReadIds(isNowRead ? warnings : []),
    /** Names of the warnings that were read, to be sent along. */
    acknowledged: isRead ? warnings : [],
    maySend:
      checks.isSuccess && !checks.isPlaceholderData && rested === text && !isBlocked && isRead,
  }
}

export type BeforeSend = ReturnType<typeof useBeforeSend>
