import type { ComponentPropsWithRef } from "react"
import { createPortal } from "react-dom"

/**
 * Lies where an element is, so that something can open there without being put around it. Beside the page's content: in
 * a dialog that moves, its place would be counted from the dialog's corner.
 */
export function AnchorBox({ of, style, ...rest }: ComponentPropsWithRef<"span"> & { of: Element }) {
  const { left, top, width, height } = of.getBoundingClientRect()
  return createPortal(
    <span
      aria-hidden="true"
      {...rest}
      style={{ ...style, position: "fixed", pointerEvents: "none", left, top, width, height }}
    />,
    document.body,
  )
}
