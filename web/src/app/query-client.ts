import { QueryClient } from "@tanstack/react-query"
import { ApiError } from "@/api/client"

const MAX_RETRIES = 2

/** Retries only what may then succeed: no connection, or a busy server. Timeouts are not retried. */
const mayRetry = (failures: number, error: Error) =>
  failures < MAX_RETRIES &&
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
