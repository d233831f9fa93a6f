import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, dataOf } from "./client"
import type { components } from "./schema"

type Schemas = components["schemas"]
type ToCheck = Schemas["AdviceToSend"] | Schemas["RunToCheck"]

/** Prices and holdings get older while a dialog is open. */
const REFRESH_AFTER = 30_000

/** The checks only need to know whether a text is given: typing another letter must not fetch them again. */
const asGiven = (text: string | null | undefined) => (text ? "Given" : "")

function checkedBody(body: ToCheck): ToCheck {
  const { holdings, conflicts, compensation } = body.disclosures ?? {}
  return {
    ...body,
    rationale: asGiven(body.rationale),
    disclosures: {
      holdings: asGiven(holdings),
      conflicts: asGiven(conflicts),
      compensation: asGiven(compensation),
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
    refetchInterval: REFRESH_AFTER,
    placeholderData: keepPreviousData,
  })

/** The checks before this send, and the warnings that the person has read. The server repeats the checks. */
export function useBeforeSend(body: ToCheck) {
  const { data: checks = [], isSuccess, error, refetch } = useQuery(checksQuery(checkedBody(body)))
  const [readIds, setReadIds] = useState<string[]>([])
  const warnings = checks.filter(({ level }) => level === "WARN").map(({ id }) => id)
  // A warning that appears later must be read too.
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
