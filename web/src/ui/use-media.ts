import { useCallback, useState, useSyncExternalStore } from "react"

/** Whether a media query holds now. */
function useMedia(query: string): boolean {
  // Asked for once: the browser takes its time over it.
  const [media] = useState(() => window.matchMedia(query))
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener("change", listener)
      return () => media.removeEventListener("change", listener)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => media.matches)
}

/** True where tables become cards, filters a sheet and modals fill the screen. */
export const useIsPhone = () => useMedia("(max-width: 640px)")

/** True where the sidebar folds to icons, as at 200 % zoom on a desk. */
export const useIsNarrowWindow = () => useMedia("(max-width: 1023px)")
