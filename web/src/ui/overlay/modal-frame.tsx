import { Modal } from "@mantine/core"
import { useIsPhone } from "@/ui/use-media"
import { confirmDiscard, type ModalProps } from "./modal"
import { useFocusReturn } from "./use-focus-return"

/** The dialog itself. The close button comes last in the tab order, so that the first field is what one lands on. */
export default function ModalFrame(props: ModalProps) {
  const { title, isOpen, onClose, isDirty, width = 440, children } = props
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
    <Modal.Root
      opened={isOpen}
      onClose={close}
      size={width}
      fullScreen={isPhone}
      transitionProps={{ duration: 120 }}
      yOffset="8vh"
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Modal.Content styles={{ content: { position: "relative" } }}>
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
        <Modal.CloseButton aria-label="Close" />
      </Modal.Content>
    </Modal.Root>
  )
}
