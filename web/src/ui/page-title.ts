import { useLayoutEffect, useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"

const shown = createStore("")

/**
 * Names the screen: the header's `h1` and the browser's tab. `subject` names whom the screen is about and
 * appears in the tab only: `usePageTitle("Portfolio", "Asha Rao")` gives "Portfolio · Asha Rao · Tarazu".
 */
export function usePageTitle(title: string, subject?: string | null) {
  useLayoutEffect(() => {
    shown.set(title)
    document.title = [title, subject, "Tarazu"].filter(Boolean).join(" · ")
  }, [title, subject])
}

/** The title of the screen on show. */
export const useShownTitle = () => useSyncExternalStore(shown.subscribe, shown.get)
