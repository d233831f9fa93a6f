import { useEffect } from "react"
import { refusalCount, toggleAuto, undoLast } from "./use-advice"

const hasDialog = () => document.querySelector("[role='dialog'], [role='alertdialog']") !== null

/** The row's key, when something of the advice table has the focus. */
function rowOf(element: Element): HTMLElement | null {
  return element.closest("tbody tr, li")?.querySelector<HTMLElement>("[data-target]") ?? null
}

/** Commits what is being typed, as leaving the field does; false when it was refused. */
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

/** A text that the browser itself undoes, such as the stock search. */
const isText = (element: Element | null) =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement &&
    !element.matches("[type='checkbox'], [inputmode='decimal'], [data-client-code]"))

/** Ctrl Z takes the last change of the table back; never what was typed into the client code. */
function undo(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z"
  if (!isUndo || event.defaultPrevented || hasDialog() || isText(document.activeElement)) return
  event.preventDefault()
  if (!event.shiftKey) undoLast()
}

function step(field: HTMLInputElement, by: 1 | -1) {
  const fields = [...document.querySelectorAll<HTMLInputElement>("[data-target] input")]
  fields[fields.indexOf(field) + by]?.focus()
}

/** Up and Down go between targets, `A` toggles Auto on the row, Ctrl Enter rebalances, Ctrl Z undoes. */
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
        step(target, key === "ArrowDown" ? 1 : -1)
        return true
      }
      const row = key.toLowerCase() === "a" ? rowOf(target) : null
      if (!row) return false
      if (commit()) toggleAuto(row.dataset.target ?? "")
      return true
    }
    // Before the fields hear of it: a letter is no part of a number, an arrow no step.
    const listen = (event: KeyboardEvent) => {
      if (!act(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener("keydown", listen, true)
    // After the fields: one with something typed in it takes that back first.
    document.addEventListener("keydown", undo)
    return () => {
      document.removeEventListener("keydown", listen, true)
      document.removeEventListener("keydown", undo)
    }
  }, [onRebalance])
}
