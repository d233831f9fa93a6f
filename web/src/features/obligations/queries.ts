import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, asForm, dataOf, messageFrom } from "@/api/client"
import { fileOf } from "@/api/files"
import type { components } from "@/api/schema"

export type Obligation = components["schemas"]["ObligationRow"]
export type ObligationShown = components["schemas"]["ObligationShown"]
export type ObligationInstance = components["schemas"]["InstanceRow"]
export type ObligationEntered = components["schemas"]["ObligationEntered"]
export type ObligationStatus = components["schemas"]["ObligationStatus"]
export type ComplianceSettings = components["schemas"]["ComplianceSettingsShown"]
export type DepositShown = components["schemas"]["DepositShown"]
export type EvidenceRow = components["schemas"]["EvidenceRow"]

const path = (id: string) => ({ params: { path: { obligation_id: id } } })

export const obligationsQuery = queryOptions({
  queryKey: ["obligations"],
  queryFn: () => dataOf(api.GET("/admin/obligations")),
  staleTime: 0,
})

export const obligationQuery = (id: string) =>
  queryOptions({
    queryKey: ["obligations", id],
    queryFn: () => dataOf(api.GET("/admin/obligations/{obligation_id}", path(id))),
    staleTime: 0,
  })

/** What only the firm knows, and the deposit that it needs. */
export const complianceSettingsQuery = queryOptions({
  queryKey: ["obligations", "settings"],
  queryFn: () => dataOf(api.GET("/admin/obligations/settings")),
  staleTime: 0,
})

export const calendarFile = () =>
  fileOf(api.GET("/admin/obligations/calendar.ics", { parseAs: "blob" }))

export const evidenceFile = (id: string) =>
  fileOf(
    api.GET("/admin/obligations/evidence/{evidence_id}/file", {
      params: { path: { evidence_id: id } },
      parseAs: "blob",
    }),
  )

function useRefresh() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: ["obligations"] })
}

export interface EvidenceGiven {
  instance: string
  name: string
  note: string
  file: File | null
}

export function useAddEvidence(id: string) {
  return useMutation({
    mutationFn: ({ instance, name, note, file }: EvidenceGiven) =>
      dataOf(
        api.POST("/admin/obligations/{obligation_id}/evidence", {
          ...path(id),
          body: { instance, name, note },
          bodySerializer: () => asForm({ instance, name, note, file }),
        }),
      ),
    onSuccess: useRefresh(),
  })
}

/** The product makes the file of an instance; nothing is done by it until somebody records it. */
export function usePrepareFile(id: string) {
  return useMutation({
    mutationFn: (instance: string) =>
      dataOf(
        api.POST("/admin/obligations/{obligation_id}/files", { ...path(id), body: { instance } }),
      ),
    onSuccess: useRefresh(),
  })
}

/** Records a file that the product made as evidence. */
export function useRecordPrepared() {
  return useMutation({
    mutationFn: (evidenceId: string) =>
      dataOf(
        api.POST("/admin/obligations/evidence/{evidence_id}/record", {
          params: { path: { evidence_id: evidenceId } },
        }),
      ),
    onSuccess: useRefresh(),
  })
}

/** Adds an obligation of the firm's own, or a new version of the one with this id. */
export function useSaveObligation(id: string | null) {
  return useMutation({
    mutationFn: ({ body, key }: { body: ObligationEntered; key: string }) =>
      id === null
        ? dataOf(api.POST("/admin/obligations", { body, headers: { "Idempotency-Key": key } }))
        : dataOf(api.PUT("/admin/obligations/{obligation_id}", { ...path(id), body })),
    onSuccess: useRefresh(),
  })
}

export function useEndObligation(id: string) {
  return useMutation({
    mutationFn: (endsOn: string) =>
      messageFrom(
        api.POST("/admin/obligations/{obligation_id}/end", { ...path(id), body: { endsOn } }),
      ),
    onSuccess: useRefresh(),
  })
}

export function useSaveComplianceSettings() {
  return useMutation({
    mutationFn: (body: components["schemas"]["ComplianceSettingsEntered"]) =>
      dataOf(api.PUT("/admin/obligations/settings", { body })),
    onSuccess: useRefresh(),
  })
}
