import type { SearchSchemaInput } from "@tanstack/react-router"
import { parseDay } from "@/lib/dates"

/** What the address of a list holds, so that back, reload and a shared link restore the view. */
export interface ListSearch {
  page: number
  limit: number
  query: string
  sort: string
}

const MOST = 200
const LONGEST = 100

const wholeFrom = (value: unknown, least: number, most: number, otherwise: number) => {
  const number = Number(value)
  return Number.isInteger(number) && number >= least && number <= most ? number : otherwise
}
const textFrom = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, LONGEST) : ""

/** Reads the search part of a list's address; what makes no sense becomes the default. Links may leave all out. */
export const listSearch =
  (limit: number) =>
  (search: Partial<ListSearch> & SearchSchemaInput): ListSearch => ({
    page: wholeFrom(search.page, 1, 1_000_000, 1),
    limit: wholeFrom(search.limit, 1, MOST, limit),
    query: textFrom(search.query),
    sort: textFrom(search.sort),
  })

/** The first page as it opens, which the address need not say: for `stripSearchParams`. */
export const plainList = (limit: number): ListSearch => ({ page: 1, limit, query: "", sort: "" })

/** What the address of a table of dated records holds: the page, the days, and a status where there is one. */
export interface DatedSearch<Status extends string = never> {
  page: number
  limit: number
  /** Both days or none. */
  from: string
  to: string
  status: Status | ""
}

/** Reads the search part of such an address; days that are none, or turned, and unknown words are left out. */
export const datedSearch =
  <Status extends string = never>(limit: number, statuses: readonly Status[] = []) =>
  (search: Partial<DatedSearch<Status>> & SearchSchemaInput): DatedSearch<Status> => {
    const [from, to] = [parseDay(textFrom(search.from)), parseDay(textFrom(search.to))]
    const isRange = from !== null && to !== null && from <= to
    return {
      page: wholeFrom(search.page, 1, 1_000_000, 1),
      limit: wholeFrom(search.limit, 1, MOST, limit),
      from: isRange ? from : "",
      to: isRange ? to : "",
      status: statuses.find((word) => word === search.status) ?? "",
    }
  }

/** The table as it opens: for `stripSearchParams`. */
export const plainDated = <Status extends string = never>(limit: number): DatedSearch<Status> => ({
  page: 1,
  limit,
  from: "",
  to: "",
  status: "",
})
