import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, dataOf } from "./client"
import type { components } from "./schema"

type Schemas = components["schemas"]
type ToCheck = Schemas["AdviceToSend"] | Schemas["RunToCheck"]

/** Prices and holdings get older while a dialog is open. */
const AGAIN_AFTER = 30_000

/** The checks ask whether something is said, not what: so that not every letter that is typed asks again. */
const said = (text: string | null | undefined) => (text ? "Given" : "")

function essenceOf(body: ToCheck): ToCheck {
  const { holdings, conflicts, compensation } = body.disclosures ?? {}
  return {
    ...body,
    rationale: said(body.rationale),
    disclosures: {
      holdings: said(holdings),
      conflicts: said(conflicts),
      compensation: said(compensation),
    },
  }
}

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

/** The checks that stand before this send, and what of them the person has read. The server asks them again. */
export function useBeforeSend(body: ToCheck) {
  const { data: checks = [], isSuccess, error, refetch } = useQuery(checksQuery(essenceOf(body)))
  const [readIds, setReadIds] = useState<string[]>([])
  const warnings = checks.filter(({ level }) => level === "WARN").map(({ id }) => id)
  // What begins to warn later is to be read as well.
  const isRead = warnings.every((id) => readIds.includes(id))
  return {
    checks,
    error,
    retry: () => void refetch(),
    isRead,
    setIsRead: (isNowRead: boolean) => setReadIds(isNowRead ? warnings : []),
    /** Names of the warnings that were read, to be sent along. */
    acknowledged: isRead ? warnings : [],
    maySend: isSuccess && isRead && checks.every(({ level }) => level !== "BLOCK"),
  }
}
