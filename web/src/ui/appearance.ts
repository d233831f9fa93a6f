import { useSyncExternalStore } from "react"
import { recall, remember } from "@/lib/remember"
import { createStore } from "@/lib/store"

type Scheme = "light" | "dark"
export interface Appearance {
  /** `system` follows the device. */
  scheme: Scheme | "system"
  /** `blue-orange` shows gain and loss in colours that red-green colour blindness keeps apart. */
  palette: "standard" | "blue-orange"
}

const device = () => window.matchMedia("(prefers-color-scheme: dark)")
const chosen = createStore<Appearance>({
  scheme: "system",
  palette: "standard",
  ...(recall("appearance") as Partial<Appearance> | null),
})
/** Counts every change of what the tokens say, so that charts know when to read them again. */
const drawn = createStore(0)

const resolve = ({ scheme }: Appearance): Scheme => {
  if (scheme !== "system") return scheme
  // The build prerenders pages without a device; no colour is in their HTML.
  return typeof window !== "undefined" && device().matches ? "dark" : "light"
}

function paint() {
  const root = document.documentElement
  root.setAttribute("data-mantine-color-scheme", resolve(chosen.get()))
  if (chosen.get().palette === "blue-orange") root.setAttribute("data-palette", "blue-orange")
  else root.removeAttribute("data-palette")
  drawn.set(drawn.get() + 1)
}

/** Paints the remembered choice and follows the device from now on. Called once, at the start. */
export function followAppearance() {
  paint()
  device().addEventListener("change", paint)
}

export function setAppearance(change: Partial<Appearance>) {
  const next = { ...chosen.get(), ...change }
  remember("appearance", next)
  chosen.set(next)
  paint()
}

/** The choice, the scheme it comes to, and a number that changes whenever the colours do. */
export function useAppearance() {
  const appearance = useSyncExternalStore(chosen.subscribe, chosen.get, chosen.get)
  const version = useSyncExternalStore(drawn.subscribe, drawn.get, drawn.get)
  return { ...appearance, shown: resolve(appearance), version }
}

/** The value of a colour token as it is painted now. */
export const token = (name: `--${string}`) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()
