import { amountsHidden } from "@/lib/format"

const KEY = "amountsHidden"

/** Keeps amounts hidden over a reload of this tab: others may be looking at the screen. */
export function keepHiddenAmounts() {
  amountsHidden.set(sessionStorage.getItem(KEY) === "yes")
  return amountsHidden.subscribe(() => {
    if (amountsHidden.get()) sessionStorage.setItem(KEY, "yes")
    else sessionStorage.removeItem(KEY)
  })
}
