import type { ComponentPropsWithRef } from "react"

/** Lies where an element is, so that something can open there without being put around it. */
export function AnchorBox({ of, style, ...rest }: ComponentPropsWithRef<"span"> & { of: Element }) {
  const { left, top, width, height } = of.getBoundingClientRect()
  return (
    <span
      aria-hidden="true"
      {...rest}
      style={{ ...style, position: "fixed", pointerEvents: "none", left, top, width, height }}
    />
  )
}
