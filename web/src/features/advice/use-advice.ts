import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect } from "react"
import { ApiError, networkMessage } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { type BasisPoints, fits, totalOf, WHOLE } from "@/lib/shares"
import { lastPrice } from "@/live/use-last-price"
import { toastCentre } from "@/ui/overlay/toast"
import {
  type ClientHoldings,
  clientLoading,
  draft,
  newRow,
  refreshed,
  rowsOf,
  useDraft,
} from "./draft"
import { clientHoldingsQuery, unwatchStock, watchStock } from "./queries"
import {
  type AdviceRow,
  amountOf,
  copiedTarget,
  fillTheRest,
  keyOf,
  normalise,
  refusalOf,
  rupeesOf,
  rowsToFill,
  shareOf,
  unitsOf,
} from "./targets"

const CODE = /^C\d{4}$/
export const isClientCode = (code: string) => CODE.test(code)

/** The typed text as a client code: a leading C, then at most four digits. */
export function asClientCode(text: string): string {
  const digits = text.replace(/\D/g, "").slice(0, 4)
  return digits !== "" || /^\s*c/i.test(text) ? `C${digits}` : ""
}

/** The price of a row now: the feed's, or the last one of the server. */
export const priceOf = (row: AdviceRow) =>
  (row.instrumentToken === null ? undefined : lastPrice(row.instrumentToken)) ?? row.ltp

/** The draft of the signed-in person. */
export function useAdvice() {
  const { data: me } = useQuery(signedInQuery)
  const owner = me?.email
  useEffect(() => {
    if (owner !== undefined) draft.claim(owner)
  }, [owner])
  return useDraft()
}

function fill(code: string, holdings: ClientHoldings) {
  const { user, totalCurrentValue, cash } = holdings
  draft.change({
    client: { id: user._id, name: user.name, code },
    investment: rupeesOf(unitsOf(totalCurrentValue) + unitsOf(cash)),
    rows: rowsOf(holdings),
    editedAt: null,
  })
}

function toastLoadError(error: unknown, code: string) {
  if (error instanceof ApiError && error.status === 404) {
    toastCentre.info(`No holdings found for ${code}.`)
  } else if (error instanceof ApiError && error.isNetwork) {
    toastCentre.error(networkMessage)
    // An ended session is handled for the whole app.
  } else if (!(error instanceof ApiError) || error.status !== 401) {
    toastCentre.error("Failed to fetch client details. Please try again.")
  }
}

/** Handles a typed client code: a complete one loads its client, anything else clears the client. */
export function useClientCode() {
  const cache = useQueryClient()
  const load = useCallback(
    async (code: string) => {
      clientLoading.set(true)
      try {
        const holdings = await cache.query(clientHoldingsQuery(code))
        if (draft.get().username === code) fill(code, holdings)
      } catch (error) {
        if (draft.get().username === code) toastLoadError(error, code)
      } finally {
        if (draft.get().username === code) clientLoading.set(false)
      }
    },
    [cache],
  )
  const type = useCallback(
    (text: string, origin?: string) => {
      const code = asClientCode(text)
      if (code === draft.get().username && origin === undefined) return
      draft.leaveClient({ username: code, ...(origin === undefined ? {} : { origin }) })
      clientLoading.set(false)
      if (isClientCode(code)) void load(code)
    },
    [load],
  )
  /** Updates quantities and cash in the draft; a failure leaves it unchanged. */
  const refresh = useCallback(
    async (code: string) => {
      const holdings = await cache.query(clientHoldingsQuery(code)).catch(() => null)
      const { client, rows } = draft.get()
      if (holdings && client?.code === code) draft.change({ rows: refreshed(rows, holdings) })
    },
    [cache],
  )
  /** Restores the earlier draft of this client with current quantities and cash. */
  const restore = useCallback(() => {
    draft.restoreEarlier()
    void refresh(draft.get().username)
  }, [refresh])
  return { type, load, refresh, restore }
}

let refused = 0
/** Counts refusals, so that a key that commits a field can stop after one. */
export const refusalCount = () => refused

function refuse(message: string): false {
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

/** Undoes the last change of targets, rows or Auto; the price feed follows the rows. */
export function undoLast() {
  const before = draft.get().rows
  const after = draft.undo() ?? before
  const missingIn = (rows: AdviceRow[]) => (row: AdviceRow) =>
    !rows.some((each) => keyOf(each) === keyOf(row))
  for (const row of after.filter(missingIn(before)))
    watchStock(row).catch(logError("The stock could not be added."))
  for (const row of before.filter(missingIn(after)))
    unwatchStock(row).catch(logError("The stock could not be removed from the price feed."))
}

const spread = (next: AdviceRow[], message: string) => {
  const { rows, username } = draft.get()
  const targets = new Map(rows.map((row) => [keyOf(row), row]))
  draft.edit({ rows: next })
  toastCentre.success(message, {
    undo: () => {
      if (draft.get().username !== username) return
      const restored = draft.get().rows.map((row) => targets.get(keyOf(row)) ?? row)
      if (totalOf(restored) <= WHOLE) draft.edit({ rows: restored })
    },
  })
}

export function fillRest() {
  const { rows } = draft.get()
  const places = rowsToFill(rows).length
  spread(fillTheRest(rows), `The rest was spread over ${places} stock${places === 1 ? "" : "s"}`)
}

export function normaliseAll() {
  const { rows, investment } = draft.get()
  spread(normalise(rows, investment), "Targets add up to 100%")
}
