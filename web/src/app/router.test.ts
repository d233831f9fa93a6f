import { createMemoryHistory } from "@tanstack/react-router"
import { expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { signedInQuery } from "@/api/shared-queries"
import { createQueryClient } from "./query-client"
import { createAppRouter, fetchScreen } from "./router"

/** What is asked for when the page begins at this address. */
function askedAt(address: string) {
  const queryClient = createQueryClient()
  const ask = vi.spyOn(queryClient, "query").mockResolvedValue(undefined)
  fetchScreen(createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] })))
  return ask.mock.calls.map(([query]) => query.queryKey)
}

test("behind the sign-in it is asked at once who we are", () => {
  session.start("token-of-the-test", "ADMIN")

  expect(askedAt("/home/fees")).toEqual([signedInQuery.queryKey])
})

test.each(["/auth/login", "/connect/some-token", "/redirect", "/new-password"])(
  "%s asks for no session, which may be over",
  (address) => {
    session.start("token-of-the-test", "ADMIN")

    expect(askedAt(address)).toEqual([])
  },
)

test("without a session nothing is asked", () => {
  expect(askedAt("/home/fees")).toEqual([])
})
