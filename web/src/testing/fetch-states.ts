import { screen } from "@testing-library/react"
import type { JsonBodyType } from "msw"
import { expect } from "vitest"
import { answer, hang, refuse } from "./server"
import type { Person } from "./show"

interface FetchStates {
  open: () => Promise<{ user: Person; unmount: () => void }>
  loading?: string
  failure?: string
  /** The answer after Retry, and a text that shows it. */
  data: JsonBodyType
  /** What the answer has beside its data, such as the pagination. */
  more?: Record<string, JsonBodyType>
  shows: string | RegExp
}

/** Expects the message of a call under way, that of a failed one, and the answer after Retry. */
export async function expectFetchStates(path: string, states: FetchStates) {
  const { open, loading = "Fetching data...", failure = "Failed to fetch data" } = states
  hang("get", path)
  const { unmount } = await open()
  expect(await screen.findByText(loading)).toBeInTheDocument()
  unmount()

  refuse("get", path, 500, "")
  const { user } = await open()
  expect(await screen.findByText(failure)).toBeVisible()
  answer("get", path, states.data, states.more)
  await user.click(screen.getByRole("button", { name: "Retry" }))
  expect((await screen.findAllByText(states.shows))[0]).toBeVisible()
}
