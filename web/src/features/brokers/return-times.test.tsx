import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { act, renderHook } from "@testing-library/react"
import type { ReactNode } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { firmQuery } from "@/api/shared-queries"
import * as leaving from "@/lib/leave"
import { firm } from "@/testing/signed-in"
import { handover } from "./handover"
import { useAppRedirect, useLinkDelay } from "./use-return"

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test("the link comes after two seconds, and not before", () => {
  const { result } = renderHook(() => useLinkDelay())

  pass(1999)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
})

test("the app is missing after three seconds, and not before", () => {
  const leave = vi.spyOn(leaving, "leaveTo").mockImplementation(() => undefined)
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queryClient.setQueryData(firmQuery.queryKey, firm)
  const given = { ...handover(), requestToken: "kite-token" }
  const { result } = renderHook(() => useAppRedirect(given, true), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  })

  expect(leave).toHaveBeenCalledWith("tarazu://broker?status=success&request_token=kite-token")
  pass(2999)
  expect(result.current.isAppMissing).toBe(false)
  pass(1)
  expect(result.current.isAppMissing).toBe(true)
})
