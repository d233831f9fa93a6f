import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { amountsHidden } from "@/lib/format"
import { useScreens } from "./use-screens"

/** How long `G` waits for the key of a screen, in milliseconds. */
const WAIT = 1200

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"))

const hasDialog = () => document.querySelector("[role='dialog']") !== null

interface Openers {
  onPalette: () => void
  onHelp: () => void
}

/**
 * The keys of every screen. `/` focuses the field with `data-search`, `N` clicks the button with `data-add`. Keys are
 * off while a field has the focus (Escape leaves the client code) or a dialog is open.
 */
export function useShortcuts({ onPalette, onHelp }: Openers) {
  const navigate = useNavigate()
  const screens = useScreens()
  useEffect(() => {
    let waitsUntil = 0
    const goTo = (key: string) => {
      const screen = screens.find((each) => each.key === key)
      if (screen) void navigate({ to: screen.to })
      return screen !== undefined
    }
    const actions: Record<string, () => boolean | undefined> = {
      "/": () => focusOn("[data-search]"),
      n: () => pressOn("[data-add]"),
      "?": () => {
        onHelp()
        return true
      },
      g: () => {
        waitsUntil = Date.now() + WAIT
        return true
      },
    }
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        onPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.defaultPrevented || hasDialog()) return
      if (isTyping(event.target)) {
        if (event.key === "Escape") leaveFirstField(event.target as HTMLElement)
        return
      }
      const isHandled =
        event.shiftKey && event.key === "H"
          ? hideAmounts()
          : Date.now() < waitsUntil
            ? goTo(event.key.toUpperCase())
            : actions[event.key]?.()
      if (event.key !== "g") waitsUntil = 0
      if (isHandled) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [navigate, screens, onPalette, onHelp])
}

function hideAmounts() {
  amountsHidden.set(!amountsHidden.get())
  return true
}

/** The field that has the focus when its screen opens is left with Escape, so that the keys work there too. */
function leaveFirstField(field: HTMLElement) {
  if (field.matches("[data-client-code]")) document.querySelector("main")?.focus()
}

function focusOn(selector: string) {
  const field = document.querySelector<HTMLElement>(`${selector}:is(input), ${selector} input`)
  field?.focus()
  return field !== null
}

function pressOn(selector: string) {
  const button = document.querySelector<HTMLElement>(selector)
  button?.click()
  return button !== null
}
