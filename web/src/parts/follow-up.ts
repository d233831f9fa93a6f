import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import type { PillTone } from "@/ui/status-pill"

type Schemas = components["schemas"]
export type FollowUpRow = Schemas["FollowUpRow"]
export type Execution = Schemas["AdviceExecutionShown"]
export type ExecutedLine = Schemas["ExecutedLine"]
export type Fill = Schemas["FillShown"]
export type AdviceState = Schemas["AdviceState"]
export type LineStatus = Schemas["LineStatus"]
export type ShortfallGap = Schemas["ShortfallGap"]
export type FollowUpNote = Schemas["FollowUpNote"]

/** What the actions on an advice need of it. */
export type ActedAdvice = Pick<
  FollowUpRow,
  "_id" | "userId" | "clientId" | "name" | "sentAt" | "state"
>

/** An advice as its actions need it, from what became of it. */
export const actedAdvice = (execution: Execution): ActedAdvice => ({
  _id: execution.adviceId,
  userId: execution.clientId,
  clientId: execution.clientCode,
  name: execution.name,
  sentAt: execution.sentAt,
  state: execution.state,
})

/** What became of an advice: the word on the screen and its colour. From left to right as the tiles. */
export const stateWords: Record<AdviceState, [word: string, tone: PillTone]> = {
  ACTED: ["Acted", "gain"],
  PART: ["In part", "warn"],
  PENDING: ["Waiting", "brand"],
  IGNORED: ["Ignored", "loss"],
  OPPOSITE: ["Opposite", "loss"],
  DECLINED: ["Declined", "neutral"],
  UNKNOWN: ["Unknown", "neutral"],
}

export const statesInOrder = Object.keys(stateWords) as AdviceState[]

/** What became of one line. */
export const lineWords: Record<LineStatus, [word: string, tone: PillTone]> = {
  DONE: ["Done", "gain"],
  OVER: ["More than advised", "warn"],
  PARTIAL: ["In part", "warn"],
  WORKING: ["Order open", "brand"],
  PENDING: ["Waiting", "brand"],
  SHORT: ["Short", "warn"],
  MISSED: ["Missed", "loss"],
  REJECTED: ["Rejected", "loss"],
  OPPOSITE: ["Opposite", "loss"],
  SUPERSEDED: ["Superseded", "neutral"],
  DECLINED: ["Declined", "neutral"],
  UNKNOWN: ["Unknown", "neutral"],
}

/** What became of the follow-up that is drafted when the window of an advice ends. */
export const noteWords: Record<FollowUpNote["outcome"], string> = {
  DRAFTED: "Follow-up drafted",
  NOT_NEEDED: "No follow-up needed",
  LEFT_OUT: "No follow-up drafted",
  WAITING: "Follow-up waits",
}

/** Where a trade is known from. */
export const sourceWords: Record<Fill["source"], string> = {
  BROKER: "Broker",
  ORDER: "Order",
  FILE: "Tradebook",
  INFERRED: "Holdings",
}

/** What became of one advice, with its lines, their trades and the client's answers. */
export const executionQuery = (adviceId: string) =>
  queryOptions({
    queryKey: ["follow-up", "execution", adviceId],
    queryFn: () =>
      dataOf(
        api.GET("/admin/advice/{advice_id}/execution", {
          params: { path: { advice_id: adviceId } },
        }),
      ),
    staleTime: 0,
  })

/** As many advices as a page can have. */
const MOST = 200

/** What became of a client's advice, with the state of each line. */
export const clientFollowUpQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["follow-up", "client", clientId],
    queryFn: async () => {
      const { data } = await answerOf(
        api.GET("/admin/follow-up", {
          params: { query: { clientId, withLines: true, page: 1, limit: MOST } },
        }),
      )
      return new Map(data.map((row) => [row._id, row]))
    },
    staleTime: 0,
  })

/** The advice of the last business day, and how much of it was acted on. */
export const lastDayQuery = queryOptions({
  queryKey: ["follow-up", "last-day"],
  queryFn: () => dataOf(api.GET("/admin/follow-up/yesterday")),
  staleTime: 0,
})
