import { expect, test } from "vitest"
import { amountsHidden } from "@/lib/format"
import { keepHiddenAmounts } from "./keep-hidden"

test("amounts that were hidden are hidden after a reload, until they are shown again", () => {
  const leave = keepHiddenAmounts()
  expect(amountsHidden.get()).toBe(false)
  amountsHidden.set(true)
  leave()

  amountsHidden.set(false)
  const leaveAgain = keepHiddenAmounts()
  expect(amountsHidden.get()).toBe(true)
  amountsHidden.set(false)
  leaveAgain()

  keepHiddenAmounts()()
  expect(amountsHidden.get()).toBe(false)
})
