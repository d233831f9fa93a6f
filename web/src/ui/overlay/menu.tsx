import { cloneElement, type ReactElement } from "react"
import type { MenuEntry } from "@/ui/table/table-types"
import { lazyComponent } from "@/ui/lazy-component"
import { useAnchor } from "./use-anchor"

/** The open menu itself, whose code comes after the first picture. */
export const EntriesMenu = lazyComponent(() => import("./entries-menu"))

interface ButtonMenuProps {
  button: ReactElement<Record<string, unknown>>
  entries: MenuEntry[]
  label: string
  /** Given where a press does not always open the menu. */
  mayOpen?: () => Promise<boolean>
}

/** A button with a menu under it. */
export function ButtonMenu({ button, entries, label, mayOpen }: ButtonMenuProps) {
  const { at, close, buttonProps } = useAnchor(mayOpen)
  return (
    <>
      {cloneElement(button, { "aria-haspopup": "menu", ...buttonProps })}
      {at && <EntriesMenu at={at} label={label} entries={entries} onClose={close} />}
    </>
  )
}
