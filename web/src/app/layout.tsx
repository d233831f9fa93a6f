import { Outlet } from "@tanstack/react-router"
import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { approvalOffer } from "@/api/approval"
import { recall, remember } from "@/lib/remember"
import { lazyComponent, loadLazyComponents } from "@/ui/lazy-component"
import { useIsNarrowWindow, useIsPhone } from "@/ui/use-media"
import { FirmNotices, PhoneNotices } from "./firm-notices"
import { Header } from "./header"
import styles from "./layout.module.css"
import { Sidebar } from "./sidebar"
import { useShortcuts } from "./use-shortcuts"

const Palette = lazyComponent(() => import("./palette"))
const Help = lazyComponent(() => import("./help"))
const AskForApproval = lazyComponent(() => import("@/features/approvals/ask-dialog"))
const PhoneMenu = lazyComponent(() => import("./phone-menu"))

/** In milliseconds. A phone that only looks does not spend its line and processor on closed menus before. */
const LONGEST_UNUSED = 10_000
const FIRST_USE = ["pointermove", "pointerdown", "keydown", "focusin"] as const

type Overlay = "palette" | "help" | null

/** The protected area: sidebar, header, the screen. The price feed lives as long as this does. */
export function Layout() {
  const isPhone = useIsPhone()
  const isNarrowWindow = useIsNarrowWindow()
  const [isFolded, setIsFolded] = useState(recall("sidebar-narrow") === true)
  // In a narrow window it is folded until it is unfolded there, which is not remembered.
  const [isUnfolded, setIsUnfolded] = useState(false)
  const isNarrow = isNarrowWindow ? !isUnfolded : isFolded
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const openPalette = useCallback(() => setOverlay("palette"), [])
  const openHelp = useCallback(() => setOverlay("help"), [])
  const close = useCallback(() => setOverlay(null), [])
  const isApprovalOffered =
    useSyncExternalStore(approvalOffer.subscribe, approvalOffer.get, approvalOffer.initial) !== null
  useShortcuts({ onPalette: openPalette, onHelp: openHelp })
  useEffect(() => {
    const opening = import("@/live/socket").then(({ openFeed }) => openFeed())
    return () => void opening.then((close) => close())
  }, [])
  useEffect(loadAtFirstUse, [])

  const setAndRememberNarrow = (next: boolean) => {
    if (isNarrowWindow) {
      setIsUnfolded(!next)
      return
    }
    remember("sidebar-narrow", next)
    setIsFolded(next)
  }
  return (
    <div className={styles.layout} data-narrow={isNarrow}>
      <a href="#main" className={styles.skip}>
        Skip to main content
      </a>
      {isPhone ? (
        isDrawerOpen && <PhoneMenu onClose={() => setIsDrawerOpen(false)} />
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
      {overlay === "palette" && <Palette onClose={close} />}
      {overlay === "help" && <Help onClose={close} />}
      {isApprovalOffered && <AskForApproval />}
    </div>
  )
}

/**
 * Loads menus and dialogs when the person begins to use the page, or after a while. They are there before they are
 * opened, so that the first keys typed into the palette are not lost.
 */
function loadAtFirstUse() {
  const controller = new AbortController()
  const stop = () => {
    clearTimeout(timer)
    controller.abort()
  }
  const load = () => {
    stop()
    void loadLazyComponents()
  }
  const timer = setTimeout(load, LONGEST_UNUSED)
  for (const event of FIRST_USE)
    window.addEventListener(event, load, { signal: controller.signal, passive: true })
  return stop
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
