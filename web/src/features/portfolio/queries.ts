import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type Portfolio = components["schemas"]["Portfolio"]
export type CashByHand = components["schemas"]["CashByHand"]
export type Holding = components["schemas"]["HoldingRow"]
export type Holdings = components["schemas"]["Holdings"]
export type Transaction = components["schemas"]["TransactionRow"]
export type FlowType = components["schemas"]["FlowType"]
export type Returns = components["schemas"]["ClientReturns"]
export type FlowRow = components["schemas"]["FlowRow"]
export type SpanReturn = components["schemas"]["SpanReturn"]
export type DayValue = components["schemas"]["DayValue"]
export type BenchmarkData = components["schemas"]["BenchmarkFigures"]
export type ExpectedDividend = components["schemas"]["ExpectedDividendRow"]
export type SeriesPoint = components["schemas"]["SeriesPoint"]

const root = "/admin/clients/client/{client_id}"
const pathOf = (clientId: string) => ({ params: { path: { client_id: clientId } } })

/** The server's figures are refreshed at this interval; the live prices update those that depend on them. */
const REFRESH_INTERVAL = 15_000

export const portfolioQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "portfolio"],
    queryFn: () => dataOf(api.GET(`${root}/portfolio`, pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const holdingsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "holdings"],
    queryFn: () => answerOf(api.GET(`${root}/holdings`, pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const accountingQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "accounting"],
    queryFn: () => dataOf(api.GET(`${root}/accounting`, pathOf(clientId))),
  })

export const returnsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "xirr"],
    queryFn: () => answerOf(api.GET(`${root}/xirr`, pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const performanceQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "performance"],
    queryFn: () => answerOf(api.GET(`${root}/performance`, pathOf(clientId))),
    refetchInterval: 4 * REFRESH_INTERVAL,
  })

export const dividendsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "dividends"],
    queryFn: () => dataOf(api.GET(`${root}/dividends`, pathOf(clientId))),
  })

/** The export of a client's table. */
const exportOf =
  (table: "holdings" | "accounting" | "xirr" | "performance") =>
  (clientId: string, format: SheetFormat) =>
    fileOf(
      api.GET(`${root}/${table}/export`, {
        params: { path: { client_id: clientId }, query: { format } },
        parseAs: "blob",
      }),
    )

export const holdingsFile = exportOf("holdings")
export const accountingFile = exportOf("accounting")
export const returnsFile = exportOf("xirr")
export const performanceFile = exportOf("performance")

/** A change of the start or of a flow can change every figure of a client, and the list of clients. */
function useClientChange<Change, Answer>(
  mutationFn: (change: Change) => Promise<Answer>,
  after: "onSuccess" | "onSettled" = "onSuccess",
) {
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: ["clients"] })
  return useMutation({ mutationFn, [after]: refresh })
}

export const useSetStartingDate = (clientId: string) =>
  useClientChange((body: { startingDate: string; version: number | null }) =>
    dataOf(api.POST(`${root}/starting-date`, { ...pathOf(clientId), body })),
  )

export const useSetStartingCapital = (clientId: string) =>
  useClientChange((body: { amount: number; version: number | null }) =>
    dataOf(api.POST(`${root}/starting-capital`, { ...pathOf(clientId), body })),
  )

/** The cash of a client whose broker does not report it. */
export const useEnterCash = (clientId: string) =>
  useClientChange(
    (body: { amount: number; asOf: string; version: number }) =>
      dataOf(api.PUT(`${root}/cash`, { ...pathOf(clientId), body })),
    // After a refusal too: the shown state may be out of date.
    "onSettled",
  )

export interface TransactionEdit {
  /** Null for a new one. */
  id: string | null
  version: number | null
  date: string
  amount: number
  type: FlowType
}

/** Adds or edits a flow; `key` is the idempotency key of a new one. */
export const useSaveTransaction = (clientId: string) =>
  useClientChange(({ edit, key }: { edit: TransactionEdit; key: string }) => {
    const { id, version, ...body } = edit
    const path = `${root}/accounting/transaction` as const
    const client = pathOf(clientId)
    return id === null
      ? dataOf(api.POST(path, { ...client, body, headers: { "Idempotency-Key": key } }))
      : dataOf(api.PUT(path, { ...client, body: { ...body, transactionId: id, version } }))
  })

export const useDeleteTransaction = (clientId: string) =>
  useClientChange(({ _id: transactionId, version }: Transaction) =>
    messageFrom(
      api.POST(`${root}/accounting/transaction/delete`, {
        ...pathOf(clientId),
        body: { transactionId, version },
      }),
    ),
  )

export const useRestoreTransaction = () =>
  useClientChange((id: string) =>
    dataOf(
      api.POST("/admin/transactions/{transaction_id}/restore", {
        params: { path: { transaction_id: id } },
      }),
    ),
  )
