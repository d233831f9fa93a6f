import { queryOptions, useQuery } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type ModelRow = Schemas["ModelRow"]
export type Model = Schemas["ModelShown"]
export type ModelStatus = Schemas["ModelStatus"]
export type DriftRow = Schemas["DriftRow"]

/** Rows on a page as a list opens. */
export const MODELS_PAGE = 50

interface ListView {
  page: number
  limit: number
  query: string
}

export interface ModelsView extends ListView {
  status: ModelStatus | ""
}

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

/** A list of choices holds at most this many models. */
const MAX_CHOICES = 200

/** All models by name. */
export const useModels = () =>
  useQuery(modelsQuery({ page: 1, limit: MAX_CHOICES, query: "", status: "" }))

export const modelQuery = (modelId: string) =>
  queryOptions({
    queryKey: ["models", "one", modelId],
    queryFn: () =>
      dataOf(api.GET("/admin/models/{model_id}", { params: { path: { model_id: modelId } } })),
  })

export interface DriftView extends ListView {
  sort?: string
  /** The id of a model; empty for all. */
  model: string
  /** Shows only drift of the firm's tolerance or more. */
  outside: boolean
}

/** Drift moves with the prices. */
const DRIFT_REFRESH = 30_000

/** The filters of the monitor as its calls take them. */
export const driftFilters = ({ query, sort, model, outside }: DriftView) => ({
  query,
  sort: sort || undefined,
  modelId: model === "" ? undefined : model,
  outsideTolerance: outside || undefined,
})

export const driftQuery = (view: DriftView) =>
  queryOptions({
    queryKey: ["models", "drift", view],
    queryFn: () => {
      const { page, limit } = view
      return answerOf(
        api.GET("/admin/models/drift", {
          params: { query: { page, limit, ...driftFilters(view) } },
        }),
      )
    },
    staleTime: 0,
    refetchInterval: DRIFT_REFRESH,
  })
