import { useEffect } from "react"

/**
 * Gives the focus back to what had it, for a dialog that is drawn only while it is open: it goes from one moment
 * to the next, and whoever works by key would start from the top of the page.
 */
export function useFocusReturn() {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      requestAnimationFrame(() => {
        const isLost = document.activeElement === document.body
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
      })
    }
  }, [])
}
