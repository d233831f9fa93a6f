import "./styles"
import { startTransition } from "react"
import { createRoot, hydrateRoot } from "react-dom/client"
import { takeHandover } from "@/features/brokers/handover"
import { followAppearance } from "@/ui/appearance"
import { App } from "./app"
import { keepHiddenAmounts } from "./keep-hidden"
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
const app = <App queryClient={queryClient} router={router} />
// In a transition, so that a slow phone is not blocked by it in one piece.
if (place.hasChildNodes()) {
  // As the Router's own hydration sets it, which needs inline scripts: the content security policy forbids them.
  router.ssr = { manifest: undefined }
  void router.load().then(() => startTransition(() => void hydrateRoot(place, app)))
} else startTransition(() => createRoot(place).render(app))
