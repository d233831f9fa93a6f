import type { TooltipProps } from "@mantine/core"
import type { ReactElement } from "react"
import { lazyComponent } from "@/ui/lazy-component"

const Tooltip = lazyComponent<TooltipProps>(
  () => import("./tooltip"),
  ({ children }) => children,
)

/** A sentence that hover, focus or a tap shows at an element. */
export function Hint({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip
      label={text}
      multiline
      w={260}
      withinPortal
      events={{ hover: true, focus: true, touch: true }}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Tooltip>
  )
}
