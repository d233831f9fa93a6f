import { QueryClient } from "@tanstack/react-query"
import { ApiError } from "@/api/client"

const TRIES = 2

/** Tries again only what may succeed then: no connection, or a server that is busy. Waiting is not repeated. */
const mayRetry = (failures: number, error: Error) =>
  failures < TRIES &&
  error instanceof ApiError &&
  error.code !== "unanswered" &&
  (error.isNetwork || error.status >= 502)

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: mayRetry, staleTime: 30_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
