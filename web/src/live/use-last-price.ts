import { startTransition, useEffect, useState } from "react"
import { type InstrumentToken, priceStore } from "./prices"

type Token = InstrumentToken | null | undefined

const tickOf = (token: Token) =>
  token === null || token === undefined ? undefined : priceStore.tick(token)

/**
 * The tick of one instrument; undefined until one came. A new one is drawn in a transition: what is typed or pressed
 * meanwhile comes first.
 */
export function useTick(token: Token) {
  const [, setDrawn] = useState(() => tickOf(token))
  useEffect(() => {
    if (token === null || token === undefined) return undefined
    const draw = () => startTransition(() => setDrawn(tickOf(token)))
    // One may have come since this was drawn first.
    draw()
    return priceStore.subscribe(token, draw)
  }, [token])
  return tickOf(token)
}

/** The last price of one instrument, or `otherwise` until a tick came. */
export const useLastPrice = (token: Token, otherwise?: number | null) =>
  useTick(token)?.price ?? otherwise ?? null

/** The last known price now, for code outside a component's drawing. */
export const lastPrice = (token: InstrumentToken) => priceStore.tick(token)?.price

const HALF_A_SECOND = 500
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
let release: (() => void) | undefined

function onFlush() {
  timer ??= setTimeout(() => {
    timer = undefined
    for (const notify of [...listeners]) notify()
  }, HALF_A_SECOND)
}

/** Calls back at most twice a second while prices change; returns the call that ends it. */
export function onPriceBeat(listener: () => void) {
  listeners.add(listener)
  release ??= priceStore.subscribeAll(onFlush)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    release?.()
    release = undefined
    clearTimeout(timer)
    timer = undefined
  }
}

/**
 * Renders a component that sums many prices again, at most twice a second; read `lastPrice(token)` in it. In a
 * transition: what is typed or pressed meanwhile comes first.
 */
export function usePriceBeat() {
  const [, setBeat] = useState(0)
  useEffect(() => onPriceBeat(() => startTransition(() => setBeat((last) => last + 1))), [])
}
