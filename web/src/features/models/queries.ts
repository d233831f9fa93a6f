import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { ModelStatus, ModelsView } from "@/parts/models"
import type { Audience, Candidate, NewVersion } from "./types"

export const modelsFile = ({ query, status }: ModelsView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/models/export", {
      params: { query: { query, status: status === "" ? undefined : status, format } },
      parseAs: "blob",
    }),
  )

/** Every version of a model, a row a stock. */
export const versionsFile = (modelId: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/models/{model_id}/versions/export", {
      params: { path: { model_id: modelId }, query: { format } },
      parseAs: "blob",
    }),
  )

export const subscribersFile = (modelId: string, query: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/models/{model_id}/subscribers/export", {
      params: { path: { model_id: modelId }, query: { query, format } },
      parseAs: "blob",
    }),
  )

export interface SubscribersView {
  page: number
  limit: number
  query: string
}

export const subscribersQuery = (modelId: string, view: SubscribersView) =>
  queryOptions({
    queryKey: ["models", "one", modelId, "subscribers", view],
    queryFn: () =>
      answerOf(
        api.GET("/admin/models/{model_id}/subscribers", {
          params: { path: { model_id: modelId }, query: { ...view } },
        }),
      ),
    staleTime: 0,
  })

export const trackRecordQuery = (modelId: string) =>
  queryOptions({
    queryKey: ["models", "one", modelId, "track-record"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/models/{model_id}/track-record", {
          params: { path: { model_id: modelId } },
        }),
      ),
  })

export interface FactsheetRequest {
  form: "pdf" | "html"
  audience: Audience
  askedBy: string
  until: string
}

/** The factsheet; the server refuses it where the rules for past performance do not allow it. */
export function factsheetOf(modelId: string, request: FactsheetRequest) {
  const { form, audience, askedBy, until } = request
  const query = { audience, askedBy, until: until || undefined }
  const options = { params: { path: { model_id: modelId }, query }, parseAs: "blob" } as const
  return fileOf(
    form === "pdf"
      ? api.GET("/admin/models/{model_id}/factsheet.pdf", options)
      : api.GET("/admin/models/{model_id}/factsheet.html", options),
  )
}

export const candidatesQuery = (query: string) =>
  queryOptions({
    queryKey: ["models", "candidates", query],
    queryFn: (): Promise<Candidate[]> =>
      dataOf(api.GET("/admin/models/candidates", { params: { query: { query } } })),
    staleTime: 0,
  })

const pathOf = (modelId: string) => ({ params: { path: { model_id: modelId } } })

/** Refreshes the lists of models, their drift and the model itself after a change. */
function useModelChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => cache.invalidateQueries({ queryKey: ["models"] }),
  })
}

const idempotent = (key: string) => ({ headers: { "Idempotency-Key": key } })

export const useCreateModel = () =>
  useModelChange(({ body, key }: { body: NewVersion & { name: string }; key: string }) =>
    dataOf(api.POST("/admin/models", { body, ...idempotent(key) })),
  )

export const usePublishVersion = (modelId: string) =>
  useModelChange(({ body, key }: { body: NewVersion; key: string }) =>
    dataOf(
      api.POST("/admin/models/{model_id}/versions", {
        ...pathOf(modelId),
        body,
        ...idempotent(key),
      }),
    ),
  )

interface ModelChange {
  modelId: string
  version: number
  name?: string
  status?: ModelStatus
}

export const useChangeModel = () =>
  useModelChange(({ modelId, ...body }: ModelChange) =>
    dataOf(api.PUT("/admin/models/{model_id}", { ...pathOf(modelId), body })),
  )

interface SubscribersChange {
  add?: { clientId: string; investmentValue: number | null }[]
  remove?: string[]
}

export const useChangeSubscribers = (modelId: string) =>
  useModelChange(({ add = [], remove = [] }: SubscribersChange) =>
    dataOf(
      api.PUT("/admin/models/{model_id}/subscribers", {
        ...pathOf(modelId),
        body: { add, remove },
      }),
    ),
  )
