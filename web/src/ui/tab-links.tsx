import type { ReactNode, Ref } from "react"
import styles from "./tabs.module.css"

interface TabLinksProps {
  label: string
  children: ReactNode
  ref?: Ref<HTMLElement>
}

/** Links to the screens of one subject, side by side; they look as tabs do. */
export function TabLinks({ label, children, ref }: TabLinksProps) {
  return (
    <nav ref={ref} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
