/** A value outside React that notifies its listeners when it changes; `useSyncExternalStore` reads it. */
export interface Store<Value> {
  get: () => Value
  /** The value at the start, with which a prerendered page is hydrated. */
  initial: () => Value
  set: (next: Value) => void
  /** Returns the call that ends the subscription. */
  subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    initial: () => initial,
    set: (next) => {
      if (Object.is(next, current)) return
      current = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
