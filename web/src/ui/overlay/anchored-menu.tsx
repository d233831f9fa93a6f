import { Menu, type MenuProps } from "@mantine/core"
import { type ReactNode, useEffect } from "react"
import { AnchorBox } from "./anchor-box"

interface AnchoredMenuProps extends Omit<MenuProps, "opened" | "onClose"> {
  /** The button that was pressed; it gets the focus back. */
  at: HTMLElement
  label: string
  onClose: () => void
  className?: string
  children: ReactNode
}

/** An open menu at the button that was pressed. Scrolling closes it, since it is placed once. */
export function AnchoredMenu({
  at,
  label,
  onClose,
  className,
  children,
  ...rest
}: AnchoredMenuProps) {
  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(at)) onClose()
    }
    window.addEventListener("scroll", onScroll, { capture: true, passive: true })
    window.addEventListener("resize", onClose)
    return () => {
      window.removeEventListener("scroll", onScroll, { capture: true })
      window.removeEventListener("resize", onClose)
    }
  }, [at, onClose])
  return (
    <Menu
      opened
      onClose={() => {
        at.focus({ preventScroll: true })
        onClose()
      }}
      position="bottom-end"
      transitionProps={{ duration: 0 }}
      withinPortal
      returnFocus={false}
      {...rest}
    >
      <Menu.Target>
        <AnchorBox of={at} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} className={className}>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
