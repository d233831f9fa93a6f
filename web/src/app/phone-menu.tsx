import { Drawer } from "@mantine/core"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import styles from "./layout.module.css"
import { Sidebar } from "./sidebar"

/** The sidebar on a phone: a drawer over the screen. */
export default function PhoneMenu({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  return (
    <Drawer.Root opened onClose={onClose} size={264} transitionProps={{ duration: 120 }}>
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label="Menu">
        <div className={styles.drawer}>
          <Sidebar isNarrow={false} onGone={onClose} />
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
