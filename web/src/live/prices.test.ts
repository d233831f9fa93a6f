import { expect, test, vi } from "vitest"
import { createPriceStore } from "./prices"

function storeWithFrames() {
  const frames: (() => void)[] = []
  const store = createPriceStore((flush) => frames.push(flush))
  return { store, frames, paint: () => frames.splice(0).forEach((flush) => flush()) }
}

test("many ticks within one frame notify once, with the newest price", () => {
  const { store, frames, paint } = storeWithFrames()
  const listener = vi.fn()
  store.subscribe(408065, listener)

  store.collect({ "408065": 1500 })
  store.collect({ "408065": 1501 })
  store.collect({ "408065": 1502.5 })

  expect(frames).toHaveLength(1)
  expect(listener).not.toHaveBeenCalled()
  paint()
  expect(listener).toHaveBeenCalledOnce()
  expect(store.tick("408065")?.price).toBe(1502.5)
})

test("only those who watch an instrument hear of it", () => {
  const { store, paint } = storeWithFrames()
  const infosys = vi.fn()
  const reliance = vi.fn()
  store.subscribe(408065, infosys)
  store.subscribe(738561, reliance)

  store.collect({ "408065": 1500 })
  paint()

  expect(infosys).toHaveBeenCalledOnce()
  expect(reliance).not.toHaveBeenCalled()
})

test("a price knows whether it rose or fell, and the first one neither", () => {
  const { store, paint } = storeWithFrames()
  const changes = [1500, 1501, 1400].map((price) => {
    store.collect({ "408065": price })
    paint()
    return store.tick(408065)?.change
  })

  expect(changes).toEqual([0, 1, -1])
})

test("an unchanged price notifies nobody", () => {
  const { store, paint } = storeWithFrames()
  store.collect({ "408065": 1500 })
  paint()
  const listener = vi.fn()
  store.subscribe(408065, listener)

  store.collect({ "408065": 1500 })
  paint()

  expect(listener).not.toHaveBeenCalled()
})

test("who has unsubscribed hears nothing more", () => {
  const { store, paint } = storeWithFrames()
  const listener = vi.fn()
  store.subscribe(408065, listener)()

  store.collect({ "408065": 1500 })
  paint()

  expect(listener).not.toHaveBeenCalled()
})
