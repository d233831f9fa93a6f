import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import { isTile } from "./book-words"
import type { BookLimits, ClientState, Outside, Run, RunOptions, Tile } from "./types"

/** Rows on a page as a list opens. */
export const RUNS_PAGE = 20
export const CLIENTS_PAGE = 100

const WHILE_AT_WORK = 2_000

export const isAtWork = (run: Pick<Run, "state"> | undefined) =>
  run?.state === "COMPUTING" || run?.state === "SENDING"

export interface RunsView {
  page: number
  limit: number
  /** The id of a model, or nothing for the runs of all. */
  model: string
  /** Whether the dialog that begins a run is open. */
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
    refetchInterval: ({ state }) => (state.data?.data.some(isAtWork) ? WHILE_AT_WORK : false),
  })

const pathOf = (runId: string) => ({ params: { path: { run_id: runId } } })

/** A run; asked often while the server is at work on it. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ["book", "run", runId],
    queryFn: () => dataOf(api.GET("/admin/book-runs/{run_id}", pathOf(runId))),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAtWork(state.data) ? WHILE_AT_WORK : false),
  })

export type Show = Tile | ClientState | "INCLUDED" | "LEFT_OUT" | ""

/** What the address of a run holds. `show` is a tile, a state of the sending, or a choice of the reviewer. */
export interface RunView {
  page: number
  limit: number
  query: string
  sort: string
  show: Show
  /** The client that is looked into. */
  client: string
}

const filterOf = (show: Show) => {
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

export const bookLimitsQuery = queryOptions({
  queryKey: ["book", "limits"],
  queryFn: () => dataOf(api.GET("/admin/book-limits")),
})

function useBookChange<Change, Answer>(act: (change: Change) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => cache.invalidateQueries({ queryKey: ["book"] }),
  })
}

const once = (key: string) => ({ headers: { "Idempotency-Key": key } })

export interface NewRun {
  modelId: string
  versionId?: string
  tolerancePercentage?: number
  outside: Outside
  /** What is not set is the firm's own setting. */
  options?: RunOptions
  /** The run whose choices are kept: "compute again". */
  after?: string
}

export const useStartRun = () =>
  useBookChange(({ body, key }: { body: NewRun; key: string }) =>
    dataOf(api.POST("/admin/book-runs", { body, ...once(key) })),
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
  /** Names of the checks whose warnings were read. */
  acknowledged: string[]
}

export const useSendRun = (runId: string) =>
  useBookChange(({ body, key }: { body: ToSend; key: string }) =>
    dataOf(api.POST("/admin/book-runs/{run_id}/send", { ...pathOf(runId), body, ...once(key) })),
  )

export const useCancelRun = (runId: string) =>
  useBookChange(() => dataOf(api.POST("/admin/book-runs/{run_id}/cancel", pathOf(runId))))

export const useChangeLimits = () =>
  useBookChange((body: BookLimits) => dataOf(api.PUT("/admin/book-limits", { body })))
