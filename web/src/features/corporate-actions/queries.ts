import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, asForm, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type ActionRow = components["schemas"]["ActionShown"]
export type ActionKind = components["schemas"]["ActionKind"]
export type ActionState = components["schemas"]["ActionState"]
export type ActionToEnter = components["schemas"]["ActionToEnter"]
export type ActionReport = components["schemas"]["ActionImportReport"]
export type ImportedAction = components["schemas"]["ImportedActionRow"]

/** Rows on a page as the screen opens. */
export const ACTIONS_PAGE = 20

/** What the address of the screen holds; both days or none. */
export interface ActionsView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  state: ActionState | ""
  /** "held" for shares that clients hold. */
  of: "held" | ""
}

const filtersOf = ({ query, sort, from, to, state, of }: ActionsView) => ({
  query,
  sort,
  from: from || undefined,
  to: to || undefined,
  state: state || undefined,
  held: of === "held" || undefined,
})

export const actionsQuery = (view: ActionsView) =>
  queryOptions({
    queryKey: ["corporate-actions", view],
    queryFn: () => {
      const { page, limit } = view
      const query = { page, limit, ...filtersOf(view) }
      return answerOf(api.GET("/admin/corporate-actions", { params: { query } }))
    },
    staleTime: 0,
  })

/** All actions that match, in order, as a file. */
export const actionsFile = (view: ActionsView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/corporate-actions/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

/** Holdings, prices and past advice may all change with an action. */
function useRefreshAll() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries()
}

export function useEnterAction() {
  return useMutation({
    mutationFn: ({ body, key }: { body: ActionToEnter; key: string }) =>
      dataOf(api.POST("/admin/corporate-actions", { body, headers: { "Idempotency-Key": key } })),
    onSuccess: useRefreshAll(),
  })
}

export function useRemoveAction() {
  return useMutation({
    mutationFn: (id: string) =>
      messageFrom(
        api.DELETE("/admin/corporate-actions/{action_id}", {
          params: { path: { action_id: id } },
        }),
      ),
    onSettled: useRefreshAll(),
  })
}

interface ImportRequest {
  file: File
  isDryRun: boolean
}

export function useImportActions() {
  const refresh = useRefreshAll()
  return useMutation({
    mutationFn: ({ file, isDryRun }: ImportRequest) =>
      dataOf(
        api.POST("/admin/imports/corporate-actions", {
          // The schema types a file as text; the form below is what is sent.
          body: { file: file.name, dryRun: isDryRun },
          bodySerializer: () => asForm({ file, dryRun: isDryRun }),
        }),
      ),
    onSuccess: (_, { isDryRun }) => (isDryRun ? undefined : refresh()),
  })
}
