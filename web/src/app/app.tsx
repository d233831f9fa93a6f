import type { QueryClient } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { Providers } from "./providers"
import type { createAppRouter } from "./router"

interface AppProps {
  queryClient: QueryClient
  router: ReturnType<typeof createAppRouter>
}

/** All of the web client: what a browser renders, and what the build prerenders. */
export const App = ({ queryClient, router }: AppProps) => (
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>
)
