import { Modal as MantineModal } from "@mantine/core"
import type { ReactNode } from "react"
import { confirm } from "./confirm"
import { useFocusReturn } from "./use-focus-return"
import { useIsPhone } from "@/ui/use-media"

interface ModalProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** Asks before the edits are dropped. */
  isDirty?: boolean
  width?: number | string
  children: ReactNode
}

/** Asks before edits are dropped, in the same words everywhere. */
export const confirmDiscard = () =>
  confirm({ title: "Discard changes?", text: "What you typed will be lost.", act: "Discard" })

/**
 * A dialog over the screen: holds the focus, starts on the first field, closes with Escape, fills a phone.
 * The close button comes last in the tab order, so that the first field is what one lands on.
 */
export function Modal({ title, isOpen, onClose, isDirty, width = 440, children }: ModalProps) {
  const isPhone = useIsPhone()
  useFocusReturn()
  const close = () => {
    if (!isDirty) {
      onClose()
      return
    }
    void confirmDiscard().then((isSure) => isSure && onClose())
  }
  return (
    <MantineModal.Root
      opened={isOpen}
      onClose={close}
      size={width}
      fullScreen={isPhone}
      transitionProps={{ duration: 120 }}
      yOffset="8vh"
    >
      <MantineModal.Overlay backgroundOpacity={1} color="var(--veil)" />
      <MantineModal.Content styles={{ content: { position: "relative" } }}>
        <MantineModal.Header role="none">
          <MantineModal.Title>{title}</MantineModal.Title>
        </MantineModal.Header>
        <MantineModal.Body>{children}</MantineModal.Body>
        <MantineModal.CloseButton aria-label="Close" />
      </MantineModal.Content>
    </MantineModal.Root>
  )
}
