const LONGEST_MS = 500

/** Resolves when the browser has nothing else to do, or after half a second. */
export const quiet = () =>
  new Promise<void>((resolve) => {
    // Safari knows no idle time.
    if ("requestIdleCallback" in window)
      requestIdleCallback(() => resolve(), { timeout: LONGEST_MS })
    else setTimeout(resolve, LONGEST_MS / 5)
  })
