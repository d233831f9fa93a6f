import { type BasisPoints, fits, totalOf, WHOLE } from "@/lib/shares"
import { lastPrice } from "@/live/use-last-price"
import { toastCentre } from "@/ui/overlay/toast"
import { draft } from "./draft"
import { newRow } from "./holdings"
import { unwatchStock, watchStock } from "./queries"
import {
  type AdviceRow,
  amountOf,
  copiedTarget,
  currentShares,
  fillTheRest,
  keyOf,
  normalise,
  refusalOf,
  refusals,
  rowsToFill,
  shareOf,
} from "./targets"

/** The price of a row now: the feed's, or the last one of the server. */
export const priceOf = (row: AdviceRow) =>
  (row.instrumentToken === null ? undefined : lastPrice(row.instrumentToken)) ?? row.ltp

let refused = 0
/** Counts refusals, so that a key that commits a field can stop after one. */
export const refusalCount = () => refused

export function refuse(message: string): false {
  refused += 1
  toastCentre.error(message)
  return false
}

/** Sets a target by hand; false when it is refused. Auto is off then. */
export function setTarget(key: string, target: BasisPoints | null): boolean {
  const { rows, investment } = draft.get()
  const refusal = target === null ? null : refusalOf({ rows, key, target, investment })
  if (refusal !== null) return refuse(refusal)
  draft.changeRow(key, { target, copied: false, prevTarget: null })
  return true
}

/** Auto on: the current share becomes the target. Auto off: the previous target comes back. */
export function toggleAuto(key: string): boolean {
  const { rows, investment } = draft.get()
  const row = rows.find((each) => keyOf(each) === key)
  if (!row) return false
  if (row.copied) {
    const refusal =
      row.prevTarget === null ? null : refusalOf({ rows, key, target: row.prevTarget, investment })
    if (refusal !== null) return refuse(refusal)
    draft.changeRow(key, { target: row.prevTarget, copied: false, prevTarget: null })
    return true
  }
  const share = shareOf(amountOf(row, priceOf(row)), investment)
  const target = copiedTarget(rows, key, Math.max(0, share ?? 0))
  const refusal = refusalOf({ rows, key, target, investment })
  if (refusal !== null) return refuse(refusal)
  if (share === null) return refuse(`${row.tradingSymbol} has no price yet.`)
  draft.changeRow(key, { target, copied: true, prevTarget: row.target })
  return true
}

const logError = (what: string) => (error: unknown) => console.error(what, error)

export interface FoundStock {
  symbol: string
  exchange: string
  isin: string
  instrumentToken: number
}

/** Adds a stock to the price feed and then to the table; false when that failed. */
export async function addStock(stock: FoundStock): Promise<boolean> {
  const { symbol: tradingSymbol, exchange, isin, instrumentToken } = stock
  const key = keyOf({ tradingSymbol, exchange })
  const code = draft.get().username
  if (draft.get().rows.some((row) => keyOf(row) === key)) {
    toastCentre.info(`${tradingSymbol} is already in the table.`)
    return false
  }
  try {
    const { ltp } = await watchStock({ tradingSymbol, exchange })
    if (draft.get().username !== code) return false
    draft.insertRow(newRow({ tradingSymbol, exchange, isin, instrumentToken, ltp }))
    toastCentre.success("Stock added successfully")
    return true
  } catch (error) {
    logError("The stock could not be added.")(error)
    return false
  }
}

/** Removes a stock from the table; a holding is then not traded. Undo puts it back in its place. */
export function removeStock(key: string) {
  const { rows, username } = draft.get()
  const place = rows.findIndex((row) => keyOf(row) === key)
  const row = rows[place]
  if (!row) return
  draft.removeRow(key)
  unwatchStock(row).catch(logError("The stock could not be removed from the price feed."))
  toastCentre.info(`${row.tradingSymbol} removed`, {
    undo: () => {
      if (draft.get().username !== username) return
      const isFitting = fits(row.target ?? 0, draft.get().rows)
      draft.insertRow(
        isFitting ? row : { ...row, target: null, prevTarget: null, copied: false },
        place,
      )
      watchStock(row).catch(logError("The stock could not be added."))
    },
  })
}

const missingIn = (rows: AdviceRow[]) => (row: AdviceRow) =>
  !rows.some((each) => keyOf(each) === keyOf(row))

/** The price feed follows the rows that a step brought back or took away. */
function followRows(before: AdviceRow[], after: AdviceRow[]) {
  for (const row of after.filter(missingIn(before)))
    watchStock(row).catch(logError("The stock could not be added."))
  for (const row of before.filter(missingIn(after)))
    unwatchStock(row).catch(logError("The stock could not be removed from the price feed."))
}

/** Undoes the last change of targets, rows, Auto, Investment Value or mode. */
export function undoLast() {
  const before = draft.get().rows
  followRows(before, draft.undo() ?? before)
}

/** Makes the change again that was undone last. */
export function redoLast() {
  const before = draft.get().rows
  followRows(before, draft.redo() ?? before)
}

/** Changes many rows in one step, with Undo in the message. */
export function changeRows(next: AdviceRow[], message: string, detail?: string) {
  const { rows: before, username } = draft.get()
  const isStep = draft.edit({ rows: next })
  const undo = () => {
    const { rows, username: current } = draft.get()
    if (current !== username) return
    if (rows === next) {
      undoLast()
      return
    }
    const restored = rows.map((row) => before.find((each) => keyOf(each) === keyOf(row)) ?? row)
    if (totalOf(restored) <= WHOLE) draft.edit({ rows: restored })
  }
  toastCentre.success(message, { detail, undo: isStep ? undo : undefined })
}

export function fillRest() {
  const { rows } = draft.get()
  const places = rowsToFill(rows).length
  changeRows(
    fillTheRest(rows),
    `The rest was spread over ${places} stock${places === 1 ? "" : "s"}`,
  )
}

export function normaliseAll() {
  const { rows, investment } = draft.get()
  changeRows(normalise(rows, investment), "Targets add up to 100%")
}

/** The rows whose current share is known: those with a price, and CASH. */
const isPriced = (row: AdviceRow) => amountOf(row, priceOf(row)) !== null

/** Whether Auto is on for every row whose share is known. */
export const isAutoForAll = (rows: AdviceRow[]) =>
  rows.some((row) => row.copied) && rows.every((row) => row.copied || !isPriced(row))

/** Auto for all rows, in one step: on copies all current shares, off brings all previous targets back. */
export function toggleAutoForAll(): boolean {
  const { rows, investment } = draft.get()
  const isOn = isAutoForAll(rows)
  if (investment === "" || investment <= 0) return refuse(refusals.noInvestment)
  const shares = isOn ? [] : currentShares(rows, investment, priceOf)
  const next = rows.map((row, place): AdviceRow => {
    if (isOn)
      return row.copied ? { ...row, target: row.prevTarget, copied: false, prevTarget: null } : row
    const target = shares[place] ?? null
    if (target === null) return row
    return { ...row, target, copied: true, prevTarget: row.copied ? row.prevTarget : row.target }
  })
  if (totalOf(next) > WHOLE) return refuse(refusals.over100)
  const unpriced = rows.filter((row) => !isPriced(row)).length
  const left =
    unpriced === 1 ? "1 stock has no price yet." : `${unpriced} stocks have no price yet.`
  if (isOn) changeRows(next, "Auto is off for all rows")
  else changeRows(next, "Auto is on for all rows", unpriced > 0 ? left : undefined)
  return true
}
