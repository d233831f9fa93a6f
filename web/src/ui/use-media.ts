import { useCallback, useSyncExternalStore } from "react"

/** Whether a media query holds now. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener("change", listener)
      return () => media.removeEventListener("change", listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** True where tables become cards, filters a sheet and modals fill the screen. */
export const useIsPhone = () => useMedia("(max-width: 640px)")

/** True where the sidebar folds to icons, as at 200 % zoom on a desk. */
export const useIsNarrowWindow = () => useMedia("(max-width: 1023px)")
