import { Popover, type PopoverProps } from "@mantine/core"
import type { ReactNode } from "react"
import { AnchorBox } from "./anchor-box"

interface AnchoredPopoverProps {
  /** The button that was pressed; it gets the focus back. */
  at: HTMLElement
  label: string
  onClose: () => void
  position?: PopoverProps["position"]
  children: ReactNode
}

/** An open dialog at the button that was pressed, which holds the focus. */
export function AnchoredPopover({ at, label, onClose, position, children }: AnchoredPopoverProps) {
  return (
    <Popover
      opened
      onChange={() => {
        at.focus({ preventScroll: true })
        onClose()
      }}
      position={position}
      trapFocus
      transitionProps={{ duration: 0 }}
      withRoles={false}
    >
      <Popover.Target>
        <AnchorBox of={at} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
