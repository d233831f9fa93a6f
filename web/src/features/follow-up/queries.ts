import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import type { AdviceState } from "@/parts/follow-up"
import { toast } from "@/ui/overlay/toast"

type Schemas = components["schemas"]
export type StockRow = Schemas["FollowUpStockRow"]
export type Question = Schemas["QuestionRow"]
export type FollowUpRuns = Schemas["FollowUpRuns"]
export type Tile = Schemas["FollowUpTile"]

/** Rows on a page as the lists open. */
export const BOARD_PAGE = 50
export const QUESTIONS_PAGE = 20

/** What the address of the board holds; both days or none. */
export interface BoardView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  state: AdviceState | ""
  /** The name of a model; empty for all. */
  model: string
  /** The id of the advice in the drawer; empty when it is closed. */
  advice: string
}

type Filters = Pick<BoardView, "query" | "sort" | "from" | "to" | "state" | "model">

/** The filters of the board as its calls take them. */
export const filtersOf = ({ query, sort, from, to, state, model }: Filters) => ({
  query,
  sort: sort || undefined,
  from: from || undefined,
  to: to || undefined,
  state: state || undefined,
  model: model || undefined,
})

export const boardQuery = ({ page, limit, ...view }: Omit<BoardView, "advice">) => {
  const filters = filtersOf(view)
  return queryOptions({
    queryKey: ["follow-up", "board", { page, limit, ...filters }],
    queryFn: () =>
      answerOf(api.GET("/admin/follow-up", { params: { query: { page, limit, ...filters } } })),
    staleTime: 0,
  })
}

export const boardFile = (view: BoardView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/follow-up/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

/** What the address of the list by stock holds. */
export interface StocksView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  model: string
}

const stockFilters = ({ query, sort, from, to, model }: StocksView) => ({
  query,
  sort: sort || undefined,
  from: from || undefined,
  to: to || undefined,
  model: model || undefined,
})

export const stocksQuery = (view: StocksView) =>
  queryOptions({
    queryKey: ["follow-up", "stocks", view],
    queryFn: () => {
      const { page, limit } = view
      return answerOf(
        api.GET("/admin/follow-up/stocks", {
          params: { query: { page, limit, ...stockFilters(view) } },
        }),
      )
    },
    staleTime: 0,
  })

export const stocksFile = (view: StocksView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/follow-up/stocks/export", {
      params: { query: { ...stockFilters(view), format } },
      parseAs: "blob",
    }),
  )

/** What the address of the questions holds. */
export interface QuestionsView {
  page: number
  limit: number
  show: "OPEN" | "ANSWERED" | ""
}

const isAnswered = (show: QuestionsView["show"]) => (show === "" ? undefined : show === "ANSWERED")

export const questionsQuery = ({ page, limit, show }: QuestionsView) =>
  queryOptions({
    queryKey: ["follow-up", "questions", { page, limit, show }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/follow-up/questions", {
          params: { query: { page, limit, isAnswered: isAnswered(show) } },
        }),
      ),
    staleTime: 0,
  })

export const questionsFile = ({ show }: QuestionsView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/follow-up/questions/export", {
      params: { query: { isAnswered: isAnswered(show), format } },
      parseAs: "blob",
    }),
  )

const idempotent = (key: string) => ({ headers: { "Idempotency-Key": key } })

/** Mails an answer to a client's question. */
export function useReply() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, text, key }: { id: string; text: string; key: string }) =>
      answerOf(
        api.POST("/admin/follow-up/questions/{response_id}/reply", {
          params: { path: { response_id: id } },
          body: { text },
          ...idempotent(key),
        }),
      ),
    // Here and not beside the form, which is gone as soon as the question is fetched again.
    onSuccess: ({ message }) => toast.success(message ?? "The answer is being mailed."),
    // A refusal as well: somebody else may have answered it.
    onSettled: () => cache.invalidateQueries({ queryKey: ["follow-up"] }),
  })
}

/** Begins runs of the book over all advice that fits the filters. */
export function useDraftAll() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ view, key }: { view: BoardView; key: string }) =>
      dataOf(
        api.POST("/admin/follow-up/run", {
          body: { filter: filtersOf(view) },
          ...idempotent(key),
        }),
      ),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["book"] }),
  })
}
