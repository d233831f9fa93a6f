import { Drawer } from "@mantine/core"
import { Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { recall, remember } from "@/lib/remember"
import { openFeed } from "@/live/socket"
import { useIsPhone } from "@/ui/use-media"
import { FirmNotices, PhoneNotices } from "./firm-notices"
import { Header } from "./header"
import styles from "./layout.module.css"
import { Sidebar } from "./sidebar"
import { useShortcuts } from "./use-shortcuts"

const loadPalette = () => import("./palette")
const Palette = lazy(loadPalette)
const Help = lazy(() => import("./help"))

/** In milliseconds: the first screen has rendered by then. */
const PALETTE_AFTER = 1_500

type Overlay = "palette" | "help" | null

/** The protected area: sidebar, header, the screen. The price feed lives as long as this does. */
export function Layout() {
  const isPhone = useIsPhone()
  const [isNarrow, setIsNarrow] = useState(recall("sidebar-narrow") === true)
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const openPalette = useCallback(() => setOverlay("palette"), [])
  const openHelp = useCallback(() => setOverlay("help"), [])
  const close = useCallback(() => setOverlay(null), [])
  useShortcuts({ onPalette: openPalette, onHelp: openHelp })
  useEffect(openFeed, [])
  useEffect(() => {
    // Loaded before it is opened, so that the first keys typed into it are not lost.
    const timer = setTimeout(() => void loadPalette(), PALETTE_AFTER)
    return () => clearTimeout(timer)
  }, [])

  const setAndRememberNarrow = (next: boolean) => {
    remember("sidebar-narrow", next)
    setIsNarrow(next)
  }
  return (
    <div className={styles.layout} data-narrow={isNarrow}>
      <a href="#main" className={styles.skip}>
        Skip to main content
      </a>
      {isPhone ? (
        <Drawer.Root
          opened={isDrawerOpen}
          onClose={() => setIsDrawerOpen(false)}
          size={264}
          transitionProps={{ duration: 120 }}
        >
          <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
          <Drawer.Content aria-label="Menu">
            <div className={styles.drawer}>
              <Sidebar isNarrow={false} onGone={() => setIsDrawerOpen(false)} />
            </div>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <aside className={styles.side} aria-label="Sidebar">
          <Sidebar isNarrow={isNarrow} onNarrow={setAndRememberNarrow} />
        </aside>
      )}
      <div className={styles.page}>
        <Header onMenu={() => setIsDrawerOpen(true)} onPalette={openPalette} onHelp={openHelp} />
        <OfflineBar />
        {isPhone ? <PhoneNotices /> : <FirmNotices />}
        <main id="main" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {overlay === "palette" && <Palette onClose={close} />}
        {overlay === "help" && <Help onClose={close} />}
      </Suspense>
    </div>
  )
}

const subscribeOnline = (listener: () => void) => {
  window.addEventListener("online", listener)
  window.addEventListener("offline", listener)
  return () => {
    window.removeEventListener("online", listener)
    window.removeEventListener("offline", listener)
  }
}

function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  if (isOnline) return null
  return (
    <p className={styles.offline} role="status">
      You are offline. Figures may be out of date.
    </p>
  )
}
