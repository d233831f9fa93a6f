import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import { driftFilters, type DriftView } from "@/parts/models"
import type { BookLimits, Outside, Run, RunOptions, Tile } from "./types"
import { type ClientFilter, isTile } from "./words"

/** Rows on a page as a list opens. */
export const RUNS_PAGE = 20
export const CLIENTS_PAGE = 100

const POLL_INTERVAL = 2_000

export const isRunning = (run: Pick<Run, "state"> | undefined) =>
  run?.state === "COMPUTING" || run?.state === "SENDING"

export interface RunsView {
  page: number
  limit: number
  /** The id of a model; empty for all. */
  model: string
  /** Whether the dialog for a new run is open. */
  start: boolean
}

export const runsQuery = ({ page, limit, model }: Omit<RunsView, "start">) =>
  queryOptions({
    queryKey: ["book", "runs", { page, limit, model }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/book-runs", {
          params: { query: { page, limit, modelId: model === "" ? undefined : model } },
        }),
      ),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? POLL_INTERVAL : false),
  })

const pathOf = (runId: string) => ({ params: { path: { run_id: runId } } })

/** A run; polled while the server computes or sends it. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ["book", "run", runId],
    queryFn: () => dataOf(api.GET("/admin/book-runs/{run_id}", pathOf(runId))),
    staleTime: 0,
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_INTERVAL : false),
  })

/** What the address of a run holds. */
export interface RunView {
  page: number
  limit: number
  query: string
  sort: string
  show: ClientFilter
  /** The id of the client in the drawer; empty when it is closed. */
  client: string
}

const filterOf = (show: ClientFilter) => {
  if (show === "") return {}
  if (show === "INCLUDED" || show === "LEFT_OUT") return { included: show === "INCLUDED" }
  return isTile(show) ? { tile: show } : { state: show }
}

export const runClientsQuery = (runId: string, { page, limit, query, sort, show }: RunView) =>
  queryOptions({
    queryKey: ["book", "run", runId, "clients", { page, limit, query, sort, show }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/book-runs/{run_id}/clients", {
          params: {
            path: { run_id: runId },
            query: { page, limit, query, sort: sort || undefined, ...filterOf(show) },
          },
        }),
      ),
    staleTime: 0,
  })

export const clientInRunQuery = (runId: string, clientId: string) =>
  queryOptions({
    queryKey: ["book", "run", runId, "client", clientId],
    queryFn: () =>
      dataOf(
        api.GET("/admin/book-runs/{run_id}/clients/{client_id}", {
          params: { path: { run_id: runId, client_id: clientId } },
        }),
      ),
    staleTime: 0,
  })

export const runsFile = (model: string, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/book-runs/export", {
      params: { query: { modelId: model === "" ? undefined : model, format } },
      parseAs: "blob",
    }),
  )

export const runFile = (runId: string, { query, show }: RunView, format: SheetFormat) => {
  const { tile, state } = { tile: undefined, state: undefined, ...filterOf(show) }
  return fileOf(
    api.GET("/admin/book-runs/{run_id}/export", {
      params: { path: { run_id: runId }, query: { format, query, tile, state } },
      parseAs: "blob",
    }),
  )
}

export const driftFile = (view: DriftView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/models/drift/export", {
      params: { query: { ...driftFilters(view), format } },
      parseAs: "blob",
    }),
  )

export const bookLimitsQuery = queryOptions({
  queryKey: ["book", "limits"],
  queryFn: () => dataOf(api.GET("/admin/book-limits")),
})

function useBookChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => cache.invalidateQueries({ queryKey: ["book"] }),
  })
}

const idempotent = (key: string) => ({ headers: { "Idempotency-Key": key } })

export interface NewRun {
  modelId: string
  versionId?: string
  tolerancePercentage?: number
  outside: Outside
  /** The firm's setting applies to what is not set. */
  options?: RunOptions
  /** The run whose choices are copied: "compute again". */
  after?: string
}

export const useStartRun = () =>
  useBookChange(({ body, key }: { body: NewRun; key: string }) =>
    dataOf(api.POST("/admin/book-runs", { body, ...idempotent(key) })),
  )

export interface Choice {
  isIncluded: boolean
  note: string
}

export const useChooseClient = (runId: string) =>
  useBookChange(({ clientId, ...body }: Choice & { clientId: string }) =>
    dataOf(
      api.PUT("/admin/book-runs/{run_id}/clients/{client_id}", {
        params: { path: { run_id: runId, client_id: clientId } },
        body,
      }),
    ),
  )

export const useChooseTile = (runId: string) =>
  useBookChange(({ tile, ...body }: Choice & { tile: Tile }) =>
    dataOf(
      api.PUT("/admin/book-runs/{run_id}/tiles/{tile}", {
        params: { path: { run_id: runId, tile } },
        body,
      }),
    ),
  )

export interface ToSend {
  clients: number
  rationale: string
  disclosures: { holdings: string; conflicts: string; compensation: string }
  /** Names of the checks whose warnings the person confirmed. */
  acknowledged: string[]
}

export const useSendRun = (runId: string) =>
  useBookChange(({ body, key }: { body: ToSend; key: string }) =>
    dataOf(
      api.POST("/admin/book-runs/{run_id}/send", { ...pathOf(runId), body, ...idempotent(key) }),
    ),
  )

export const useCancelRun = (runId: string) =>
  useBookChange(() => dataOf(api.POST("/admin/book-runs/{run_id}/cancel", pathOf(runId))))

export const useChangeLimits = () =>
  useBookChange((body: BookLimits) => dataOf(api.PUT("/admin/book-limits", { body })))
