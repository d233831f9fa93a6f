import { useEffect } from "react"
import { stepTarget } from "@/parts/target-rows"
import { redoLast, refusalCount, toggleAuto, undoLast } from "./row-changes"

const hasDialog = () => document.querySelector("[role='dialog'], [role='alertdialog']") !== null

/** The element that holds the key of the row with this element. */
function rowOf(element: Element): HTMLElement | null {
  return element.closest("tbody tr, li")?.querySelector<HTMLElement>("[data-target]") ?? null
}

/** Commits the typed value, as leaving the field does; false when it is refused. */
function commit(): boolean {
  const before = refusalCount()
  const field = document.activeElement
  if (field instanceof HTMLElement && field.matches("input")) {
    field.blur()
    field.focus()
  }
  return refusalCount() === before
}

const isTarget = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.closest("[data-target]") !== null

/** A text field in which the browser undoes, such as the stock search. */
const isText = (element: Element | null) =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement &&
    !element.matches("[type='checkbox'], [inputmode='decimal'], [data-client-code]"))

/** Ctrl Z undoes the last change but never the client code; Ctrl Shift Z and Ctrl Y make it again. */
function undo(event: KeyboardEvent) {
  if (!event.ctrlKey && !event.metaKey) return
  const key = event.key.toLowerCase()
  if ((key !== "z" && key !== "y") || event.defaultPrevented) return
  if (hasDialog() || isText(document.activeElement)) return
  event.preventDefault()
  if (key === "y" || event.shiftKey) redoLast()
  else undoLast()
}

/** Up and Down go between targets, `A` toggles Auto on the row, Ctrl Enter rebalances, Ctrl Z undoes, Ctrl Shift Z redoes. */
export function useAdviceKeys(onRebalance: () => void) {
  useEffect(() => {
    const act = (event: KeyboardEvent): boolean => {
      const { key } = event
      const target = document.activeElement
      if (!target || hasDialog()) return false
      if ((event.ctrlKey || event.metaKey) && key === "Enter") {
        if (commit()) onRebalance()
        return true
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return false
      if (isTarget(target) && (key === "ArrowDown" || key === "ArrowUp")) {
        stepTarget(target, key === "ArrowDown" ? 1 : -1)
        return true
      }
      const row = key.toLowerCase() === "a" ? rowOf(target) : null
      if (!row) return false
      if (commit()) toggleAuto(row.dataset.target ?? "")
      return true
    }
    // In the capture phase, before the number fields handle letters and arrows.
    const listen = (event: KeyboardEvent) => {
      if (!act(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener("keydown", listen, true)
    // After the fields: a field with a typed value undoes that first.
    document.addEventListener("keydown", undo)
    return () => {
      document.removeEventListener("keydown", listen, true)
      document.removeEventListener("keydown", undo)
    }
  }, [onRebalance])
}
