import { session } from "@/api/session"
import { clientLoading, draft } from "@/features/advice/draft"
import { forgetSavedDrafts } from "@/features/advice/draft-saving"
import { takeHandover } from "@/features/brokers/handover"
import { restoreRemarkDrafts } from "@/features/clients/remark-drafts"
import { amountsHidden } from "@/lib/format"
import { resetFeed } from "@/live/feed"
import { priceStore } from "@/live/prices"
import { works } from "@/live/progress"
import { setAppearance } from "@/ui/appearance"
import { pendingQuestion } from "@/ui/overlay/confirm"
import { toasts } from "@/ui/overlay/toast"

/** Resets all that the product keeps outside React: a test begins as a page that was just opened. */
export function resetState() {
  session.clear()
  draft.reset()
  forgetSavedDrafts()
  clientLoading.set(false)
  resetFeed()
  priceStore.clear()
  works.set(new Map())
  pendingQuestion.set(null)
  toasts.set([])
  amountsHidden.set(false)
  setAppearance({ scheme: "system", palette: "standard" })
  // The address last: what a broker handed over is read from it.
  sessionStorage.clear()
  localStorage.clear()
  restoreRemarkDrafts()
  window.history.replaceState(null, "", "/redirect")
  takeHandover()
  window.history.replaceState(null, "", "/")
}
