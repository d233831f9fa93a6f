import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import type { Asked } from "@/api/approval"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"

type Schemas = components["schemas"]
export type Approval = Schemas["ApprovalRow"]
export type ApprovalShown = Schemas["ApprovalShown"]
export type ApprovalState = Schemas["ApprovalState"]

/** What the address of the list holds. */
export interface ApprovalsView {
  page: number
  limit: number
  state: ApprovalState | ""
  /** The id of the request in the drawer; empty when it is closed. */
  open: string
}

/** Requests for approval, the newest first; a USER's are the own ones. */
export const approvalsQuery = ({ page, limit, state }: ApprovalsView) =>
  queryOptions({
    queryKey: ["approvals", "list", { page, limit, state }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/approvals", {
          params: { query: { page, limit, state: state === "" ? undefined : state } },
        }),
      ),
    staleTime: 0,
  })

const pathOf = (id: string) => ({ params: { path: { approval_id: id } } })

/** One request with what was asked for, and for an advice the checks as they are now. */
export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ["approvals", "one", id],
    queryFn: () => dataOf(api.GET("/admin/approvals/{approval_id}", pathOf(id))),
    staleTime: 0,
  })

export function useAsk() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ asked, note, key }: { asked: Asked; note: string; key: string }) =>
      answerOf(
        api.POST("/admin/approvals", {
          body: { asked, note },
          headers: { "Idempotency-Key": key },
        }),
      ),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["approvals"] }),
  })
}

export type Verb = "approve" | "refuse" | "withdraw"

const paths = {
  approve: "/admin/approvals/{approval_id}/approve",
  refuse: "/admin/approvals/{approval_id}/refuse",
} as const

/** Decides a request, or withdraws an own one. What an approval brings about may change any screen. */
export function useDecide(id: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ verb, answer }: { verb: Verb; answer: string }) =>
      answerOf(
        verb === "withdraw"
          ? api.POST("/admin/approvals/{approval_id}/withdraw", pathOf(id))
          : api.POST(paths[verb], { ...pathOf(id), body: { answer } }),
      ),
    // Here and not beside the form, which is gone as soon as the request is fetched again.
    onSuccess: ({ message }) => toast.success(message ?? "Saved."),
    onSettled: () => cache.invalidateQueries(),
  })
}
