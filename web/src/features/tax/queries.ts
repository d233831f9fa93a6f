import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, asForm, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type Gains = Schemas["Gains"]
export type Disposal = Schemas["DisposalRow"]
export type Harvestable = Schemas["HarvestRow"]
export type UnknownStock = Schemas["UnknownStock"]
export type Lots = Schemas["Lots"]
export type StockRow = Schemas["StockRow"]
export type LotRow = Schemas["LotRow"]
export type Entry = Schemas["EntryRow"]
export type EntryKind = Schemas["EntryKind"]
export type EnteredLot = Schemas["EnteredLot"]
export type SurchargeClass = Schemas["SurchargeClass"]
export type StatedClass = Schemas["StatedTaxClass"]
export type HighReport = Schemas["HighImportReport"]
export type ImportedHigh = Schemas["ImportedHighRow"]

const of = (clientId: string) => ({ params: { path: { client_id: clientId } } })
const ofYear = (clientId: string, year: string) => ({
  params: { path: { client_id: clientId }, query: { year } },
})
// Under "clients", so that an import of trades or a sync lets them be fetched again.
const keyOf = (clientId: string) => ["clients", clientId, "tax"] as const

export const lotsQuery = (clientId: string) =>
  queryOptions({
    queryKey: [...keyOf(clientId), "lots"],
    queryFn: () => dataOf(api.GET("/admin/clients/client/{client_id}/lots", of(clientId))),
  })

export const gainsQuery = (clientId: string, year: string) =>
  queryOptions({
    queryKey: [...keyOf(clientId), "gains", year],
    queryFn: () =>
      dataOf(api.GET("/admin/clients/client/{client_id}/gains", ofYear(clientId, year))),
    placeholderData: keepPreviousData,
  })

export const lotsFile = (clientId: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/lots/export", {
      params: { path: { client_id: clientId }, query: { format } },
      parseAs: "blob",
    }),
  )

export const gainsFile = (clientId: string, year: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/gains/export", {
      params: { path: { client_id: clientId }, query: { year, format } },
      parseAs: "blob",
    }),
  )

/** The statement of a tax year, as a PDF. */
export const statementOf = (clientId: string, year: string) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/gains/statement.pdf", {
      ...ofYear(clientId, year),
      parseAs: "blob",
    }),
  )

function useRefresh(clientId: string) {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: keyOf(clientId) })
}

interface EntryToSave {
  /** The entry that is changed; null for a new one. */
  id: string | null
  body: EnteredLot
  key: string
}

export function useSaveEntry(clientId: string) {
  return useMutation({
    mutationFn: ({ id, body, key }: EntryToSave) =>
      id === null
        ? dataOf(
            api.POST("/admin/clients/client/{client_id}/lots", {
              ...of(clientId),
              body,
              headers: { "Idempotency-Key": key },
            }),
          )
        : dataOf(
            api.PUT("/admin/clients/client/{client_id}/lots/{entry_id}", {
              params: { path: { client_id: clientId, entry_id: id } },
              body,
            }),
          ),
    onSettled: useRefresh(clientId),
  })
}

export function useRemoveEntry(clientId: string) {
  return useMutation({
    mutationFn: (id: string) =>
      messageFrom(
        api.DELETE("/admin/clients/client/{client_id}/lots/{entry_id}", {
          params: { path: { client_id: clientId, entry_id: id } },
        }),
      ),
    onSettled: useRefresh(clientId),
  })
}

export function useStateClass(clientId: string) {
  return useMutation({
    mutationFn: (body: StatedClass) =>
      dataOf(api.PUT("/admin/clients/client/{client_id}/tax-class", { ...of(clientId), body })),
    onSettled: useRefresh(clientId),
  })
}

interface ImportRequest {
  file: File
  isDryRun: boolean
}

/** Checks or imports the highs of 31 January 2018, for all clients. */
export function useImportHighs() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ file, isDryRun }: ImportRequest) =>
      dataOf(
        api.POST("/admin/imports/highs-of-2018", {
          // The schema types a file as text; the form below is what is sent.
          body: { file: file.name, dryRun: isDryRun },
          bodySerializer: () => asForm({ file, dryRun: isDryRun }),
        }),
      ),
    onSuccess: (_, { isDryRun }) =>
      isDryRun ? undefined : cache.invalidateQueries({ queryKey: ["clients"] }),
  })
}
