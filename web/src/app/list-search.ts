import { type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { parseDay } from "@/lib/dates"

/** The words that a filter may have, by the filter's name. */
type Choices<View> = { [Key in keyof View]?: readonly View[Key][] }

const MAX_LIMIT = 200
const MAX_NUMBER = 1_000_000
const MAX_QUERY = 100
const MAX_TEXT = 60

function numberFrom(name: string, value: unknown, plain: number) {
  const number = Number(value)
  const max = name === "limit" ? MAX_LIMIT : MAX_NUMBER
  return Number.isInteger(number) && number >= 1 && number <= max ? number : plain
}

function textFrom(name: string, value: unknown) {
  if (typeof value !== "string" && typeof value !== "number") return ""
  return String(value).slice(0, name === "query" ? MAX_QUERY : MAX_TEXT)
}

/** Both days, or none when one is missing or they are reversed. */
function daysFrom(search: { from?: unknown; to?: unknown }) {
  const [from, to] = [parseDay(textFrom("from", search.from)), parseDay(textFrom("to", search.to))]
  const isRange = from !== null && to !== null && from <= to
  return isRange ? { from, to } : { from: "", to: "" }
}

function readView<View extends object>(
  search: Partial<View>,
  plain: View,
  choices: Choices<View>,
): View {
  const read = (name: string, plainValue: unknown) => {
    const value = search[name as keyof View]
    const words = choices[name as keyof View]
    if (words) return words.find((word) => word === value) ?? plainValue
    if (typeof plainValue === "number") return numberFrom(name, value, plainValue)
    return typeof plainValue === "boolean" ? value === true : textFrom(name, value)
  }
  const view = Object.fromEntries(
    Object.entries(plain).map(([name, plainValue]) => [name, read(name, plainValue)]),
  )
  return ("from" in plain ? { ...view, ...daysFrom(search) } : view) as View
}

/**
 * Route options that keep the view of a list (page, search, order, filters) in the search part of its address, so
 * that back, reload and a shared link restore it. `plain` is the view as the screen opens: what is missing from an
 * address or makes no sense becomes that, and an address leaves it out.
 */
export function listSearch<View extends object>(plain: View, choices: Choices<View> = {}) {
  return {
    validateSearch: (search: Partial<View> & SearchSchemaInput): View =>
      readView(search, plain, choices),
    search: { middlewares: [stripSearchParams<View>(plain)] },
  }
}

/** Each letter of a search, and each client or advice that one steps through: not places to go back to. */
const passing = ["query", "client", "advice"]
const isPassing = (names: string[]) =>
  names.some((name) => passing.includes(name)) &&
  names.every((name) => name === "page" || passing.includes(name))

type Navigate<View> = (to: { search: (old: View) => View; replace: boolean }) => Promise<void>

/** Changes the view in the address of a list. `replace` leaves no step to go back to. */
export function useOnView<View extends object>(navigate: Navigate<View>) {
  return useCallback(
    (change: Partial<View>, replace = isPassing(Object.keys(change))) =>
      void navigate({ search: (old) => ({ ...old, ...change }), replace }),
    [navigate],
  )
}
