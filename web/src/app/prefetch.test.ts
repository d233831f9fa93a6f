import { QueryClient, queryOptions } from "@tanstack/react-query"
import { expect, test, vi } from "vitest"
import { prefetch } from "./prefetch"

const queryOf = (queryFn: () => Promise<string>) =>
  queryOptions({ queryKey: ["figures"], queryFn, staleTime: 1_000, retry: false })

test("on entry the figures are asked for, and the screen finds them without asking again", async () => {
  const context = { queryClient: new QueryClient() }
  const ask = vi.fn(() => Promise.resolve("12"))
  const query = queryOf(ask)

  prefetch({ cause: "enter", context }, query)

  expect(await context.queryClient.query(query)).toBe("12")
  expect(ask).toHaveBeenCalledTimes(1)
})

test.each(["preload", "stay"] as const)("nothing is asked for on %s", (cause) => {
  const context = { queryClient: new QueryClient() }
  const ask = vi.fn(() => Promise.resolve("12"))

  prefetch({ cause, context }, queryOf(ask))

  expect(ask).not.toHaveBeenCalled()
})

test("what fails is left to the screen, which asks again", async () => {
  const context = { queryClient: new QueryClient() }
  const ask = vi.fn<() => Promise<string>>()
  ask.mockRejectedValueOnce(new Error("away")).mockResolvedValueOnce("12")
  const query = queryOf(ask)

  prefetch({ cause: "enter", context }, query)
  await vi.waitFor(() =>
    expect(context.queryClient.getQueryState(query.queryKey)?.status).toBe("error"),
  )

  expect(await context.queryClient.query(query)).toBe("12")
})
