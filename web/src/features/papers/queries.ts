import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, asForm, dataOf } from "@/api/client"
import { fileOf } from "@/api/files"
import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type Kyc = Schemas["KycShown"]
export type EnteredKyc = Schemas["EnteredKyc"]
export type KycStatus = Schemas["KycStatus"]
export type ConsentsToText = Schemas["ConsentsToText"]
export type Consent = Schemas["ConsentRow"]
export type ConsentState = Schemas["ConsentState"]

const CONSENTS = "/admin/clients/client/{client_id}/consents"
const of = (clientId: string) => ({ params: { path: { client_id: clientId } } })
const ofConsent = (clientId: string, consentId: string) => ({
  params: { path: { client_id: clientId, consent_id: consentId } },
})

export const kycQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "kyc"],
    queryFn: () => dataOf(api.GET("/admin/clients/client/{client_id}/kyc", of(clientId))),
  })

export const consentsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "consents"],
    queryFn: () => dataOf(api.GET(CONSENTS, of(clientId))),
  })

export function useSetKyc(clientId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EnteredKyc) =>
      dataOf(api.PUT("/admin/clients/client/{client_id}/kyc", { ...of(clientId), body })),
    onSuccess: (kyc) => cache.setQueryData(kycQuery(clientId).queryKey, kyc),
    // Somebody else may have changed it.
    onError: () => cache.invalidateQueries(kycQuery(clientId)),
  })
}

/** A consent on paper with its signed file. */
export interface PaperConsent {
  kind: ConsentsToText["kind"]
  number: string
  language: string
  givenOn: string
  file: File
}

function useKeepConsents(clientId: string) {
  const cache = useQueryClient()
  return ({ data }: { data: ConsentsToText[] }) =>
    cache.setQueryData(consentsQuery(clientId).queryKey, data)
}

export function useRecordConsent(clientId: string) {
  return useMutation({
    mutationFn: (paper: PaperConsent) =>
      answerOf(
        api.POST(CONSENTS, {
          ...of(clientId),
          body: { ...paper, file: "" } as never,
          bodySerializer: () => asForm({ ...paper }),
        }),
      ),
    onSuccess: useKeepConsents(clientId),
  })
}

export function useWithdrawConsent(clientId: string) {
  return useMutation({
    mutationFn: (consentId: string) =>
      answerOf(api.POST(`${CONSENTS}/{consent_id}/withdraw`, ofConsent(clientId, consentId))),
    onSuccess: useKeepConsents(clientId),
  })
}

/** The signed file of a consent on paper. */
export const consentFile = (clientId: string, consentId: string) =>
  fileOf(
    api.GET(`${CONSENTS}/{consent_id}/file`, {
      ...ofConsent(clientId, consentId),
      parseAs: "blob",
    }),
  )
