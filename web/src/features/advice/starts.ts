import type { QueryClient } from "@tanstack/react-query"
import { answerOf, api, messageOf } from "@/api/client"
import { date } from "@/lib/dates"
import { type BasisPoints, basisPointsOf, totalOf, WHOLE } from "@/lib/shares"
import { modelQuery } from "@/parts/models"
import { toastCentre } from "@/ui/overlay/toast"
import { draft } from "./draft"
import { byKey, newRow, withStocks } from "./holdings"
import { unwatchStock, watchStock } from "./queries"
import { changeRows, priceOf, refuse } from "./row-changes"
import {
  type AdviceRow,
  amountOf,
  CASH,
  currentShares,
  isCash,
  keyOf,
  refusals,
  shareOf,
} from "./targets"

/** A stock of a start with its target, or CASH with its own. */
export interface Start {
  tradingSymbol: string
  exchange: string
  isin: string
  instrumentToken: number | null
  target: BasisPoints
}

const isSameStock = (row: AdviceRow, start: Start) =>
  keyOf(row) === keyOf(start) || (row.isin !== "" && row.isin === start.isin)

const counted = (number: number, singular: string, plural: string) =>
  number === 0 ? null : `${number} ${number === 1 ? singular : plural}.`

/** Watches these stocks for their prices; the rows, or null when one could not be added. Then none is watched. */
async function watchedRows(starts: Start[]): Promise<AdviceRow[] | null> {
  const watched = await Promise.allSettled(
    starts.map(async (start) => newRow({ ...start, ltp: (await watchStock(start)).ltp })),
  )
  const rows = watched.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
  const failed = starts.filter((_, place) => watched[place]?.status === "rejected")
  if (failed.length === 0) return rows
  const names = failed.map((start) => start.tradingSymbol).join(", ")
  toastCentre.error(`${names} could not be added. Nothing was changed.`)
  for (const row of rows) void unwatchStock(row).catch(() => undefined)
  return null
}

/**
 * Sets all targets in one step, with Undo. Stocks that are not in the table are added; the other rows lose their
 * target, so that they are not traded. A target of 0% adds no stock: there is nothing to sell. False when refused.
 */
export async function startFrom(starts: Start[], message: string): Promise<boolean> {
  const { username } = draft.get()
  if (starts.reduce((sum, start) => sum + start.target, 0) > WHOLE) return refuse(refusals.over100)
  const missing = starts.filter(
    (start) =>
      start.target > 0 &&
      start.tradingSymbol !== CASH &&
      !draft.get().rows.some((row) => isSameStock(row, start)),
  )
  const added = await watchedRows(missing)
  if (!added || draft.get().username !== username) return false
  const { rows: current } = draft.get()
  const rows = withStocks(
    current,
    added.filter((row) => !byKey(current).has(keyOf(row))),
  )
  const next = rows.map((row): AdviceRow => {
    const target = starts.find((start) => isSameStock(row, start))?.target ?? null
    return { ...row, target, prevTarget: null, copied: false }
  })
  const left = next.filter((row) => !isCash(row) && row.quantity > 0 && row.target === null).length
  const details = [
    counted(added.length, "stock was added", "stocks were added"),
    counted(left, "holding has no target", "holdings have no target"),
  ]
  changeRows(next, message, details.filter((each) => each !== null).join(" ") || undefined)
  return true
}

/** Each holding's target becomes its current share; stocks that are not held get none. */
export function startFromHoldings(): boolean {
  const { rows, held, investment } = draft.get()
  if (investment === "" || investment <= 0) return refuse(refusals.noInvestment)
  const shown = byKey(rows)
  const removed = held.filter((row) => !shown.has(keyOf(row)))
  const all = withStocks(rows, removed)
  const shares = currentShares(all, investment, priceOf)
  const next = all.map((row, place): AdviceRow => {
    const isHeld = isCash(row) || row.quantity > 0
    return {
      ...row,
      target: isHeld ? (shares[place] ?? null) : null,
      prevTarget: null,
      copied: false,
    }
  })
  if (totalOf(next) > WHOLE) return refuse(refusals.over100)
  for (const row of removed) void watchStock(row).catch(() => undefined)
  changeRows(next, "Targets set to what the client holds now")
  return true
}

/** The cash of a model or a plan as the target of CASH, where the client has that much. Else it stays empty: the rest is cash. */
export function cashStart(percent: number): Start[] {
  const { rows, investment } = draft.get()
  const cash = rows.find(isCash)
  const target = basisPointsOf(percent)
  const share = cash ? shareOf(amountOf(cash, null), investment) : null
  if (target === 0 || share === null || share < target) return []
  return [{ tradingSymbol: CASH, exchange: "", isin: "", instrumentToken: null, target }]
}

/** The targets of the newest version of a model. */
export async function startFromModel(cache: QueryClient, modelId: string): Promise<boolean> {
  const model = await cache.query(modelQuery(modelId))
  const [version] = model.versions
  if (!version) return refuse(`${model.name} has no version.`)
  const starts = version.constituents.map((each) => ({
    ...each,
    target: basisPointsOf(each.allocationPercentage),
  }))
  return startFrom(
    [...starts, ...cashStart(version.cashPercentage)],
    `Targets set from ${model.name}, version ${version.number}`,
  )
}

/** The page of the history in which a given advice is looked for. */
const MAX_ROWS = 200

/** The targets of the last advice sent to the client, or of the given one. An advice has only what it traded. */
export async function startFromAdvice(adviceId?: string): Promise<boolean> {
  const { client } = draft.get()
  if (!client) return false
  try {
    const { data } = await answerOf(
      api.GET("/admin/advice/clients/{client_id}", {
        params: {
          path: { client_id: client.id },
          query: { page: 1, limit: adviceId === undefined ? 1 : MAX_ROWS },
        },
      }),
    )
    const advice = adviceId === undefined ? data[0] : data.find((each) => each._id === adviceId)
    if (!advice) {
      toastCentre.info(`No advice was sent to ${client.code} yet.`)
      return false
    }
    const starts = advice.stocks.map((stock) => ({
      tradingSymbol: stock.symbol,
      exchange: stock.exchange,
      isin: stock.isin,
      instrumentToken: stock.instrumentToken,
      target: basisPointsOf(stock.allocationPercentage),
    }))
    return await startFrom(starts, `Targets set from the advice of ${date(advice.createdAt)}`)
  } catch (error) {
    toastCentre.error(messageOf(error, "Failed to fetch data"))
    return false
  }
}
