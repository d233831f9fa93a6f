import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, newIdempotencyKey } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { Candidate, ModelStatus, NewVersion } from "./types"

/** Rows on a page as a list opens. */
export const MODELS_PAGE = 50

export interface ModelsView {
  page: number
  limit: number
  query: string
  status: ModelStatus | ""
}

/** Figures move with the prices. */
const OFTEN = 30_000

export const modelsQuery = ({ page, limit, query, status }: ModelsView) =>
  queryOptions({
    queryKey: ["models", "list", { page, limit, query, status }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/models", {
          params: { query: { page, limit, query, status: status === "" ? undefined : status } },
        }),
      ),
    staleTime: 0,
  })

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

const pathOf = (modelId: string) => ({ params: { path: { model_id: modelId } } })

export const modelQuery = (modelId: string) =>
  queryOptions({
    queryKey: ["models", "one", modelId],
    queryFn: () => dataOf(api.GET("/admin/models/{model_id}", pathOf(modelId))),
  })

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

export const candidatesQuery = (query: string) =>
  queryOptions({
    queryKey: ["models", "candidates", query],
    queryFn: (): Promise<Candidate[]> =>
      dataOf(api.GET("/admin/models/candidates", { params: { query: { query } } })),
    staleTime: 0,
  })

export interface DriftView extends SubscribersView {
  model: string
}

export const driftQuery = ({ page, limit, query, model }: DriftView) =>
  queryOptions({
    queryKey: ["models", "drift", { page, limit, query, model }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/models/drift", {
          params: { query: { page, limit, query, modelId: model === "" ? undefined : model } },
        }),
      ),
    staleTime: 0,
    refetchInterval: OFTEN,
  })

export const driftFile = ({ query, model }: DriftView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/models/drift/export", {
      params: { query: { query, modelId: model === "" ? undefined : model, format } },
      parseAs: "blob",
    }),
  )

/** Whatever changes of a model changes its lists, its drift and what a run may be made of. */
function useModelChange<Change, Answer>(act: (change: Change) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => cache.invalidateQueries({ queryKey: ["models"] }),
  })
}

const once = (key: string) => ({ headers: { "Idempotency-Key": key } })

export const useCreateModel = () =>
  useModelChange(({ body, key }: { body: NewVersion & { name: string }; key: string }) =>
    dataOf(api.POST("/admin/models", { body, ...once(key) })),
  )

export const usePublishVersion = (modelId: string) =>
  useModelChange(({ body, key }: { body: NewVersion; key: string }) =>
    dataOf(
      api.POST("/admin/models/{model_id}/versions", { ...pathOf(modelId), body, ...once(key) }),
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

export { newIdempotencyKey }
