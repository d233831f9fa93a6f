import "./styles"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, startTransition } from "react"
import { createRoot } from "react-dom/client"
import { takeHandover } from "@/features/brokers/handover"
import { followAppearance } from "@/ui/appearance"
import { keepHiddenAmounts } from "./keep-hidden"
import { Providers } from "./providers"
import { createQueryClient } from "./query-client"
import { createAppRouter, fetchScreen } from "./router"
import { watchSession } from "./session-end"
import { watchTaken } from "./watch-taken"

takeHandover()
followAppearance()
keepHiddenAmounts()
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
watchSession(router, queryClient)
watchTaken()
fetchScreen(router)

const place = document.getElementById("root")
if (!place) throw new Error("index.html has no #root")
// In a transition, so that a slow phone is not blocked by it in one piece.
startTransition(() =>
  createRoot(place).render(
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  ),
)
