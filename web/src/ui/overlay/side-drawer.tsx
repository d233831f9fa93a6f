import { Drawer } from "@mantine/core"
import { X } from "lucide-react"
import type { ReactNode } from "react"
import { IconButton } from "@/ui/button"
import { useIsPhone } from "@/ui/use-media"
import styles from "./side-drawer.module.css"
import { useFocusReturn } from "./use-focus-return"

interface SideDrawerProps {
  label: string
  /** The heading; it has `data-autofocus` where no field is to have the focus. */
  heading: ReactNode
  /** Beside the one that closes. */
  buttons?: ReactNode
  width: number
  onClose: () => void
  children: ReactNode
}

/** What opens over the right side of a screen; over all of it on a phone. */
export function SideDrawer({ label, heading, buttons, width, onClose, children }: SideDrawerProps) {
  useFocusReturn()
  const isPhone = useIsPhone()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? "100%" : width}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label={label}>
        <div className={styles.drawer}>
          <div className={styles.head}>
            {heading}
            <span className={styles.buttons}>
              {buttons}
              <IconButton label="Close" icon={<X size={18} />} onClick={onClose} />
            </span>
          </div>
          {children}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
