import { Button } from "@mantine/core"
import type { ReactNode } from "react"

interface LinkButtonProps {
  /** An address outside the product; it opens in a tab of its own and learns nothing of this one. */
  href: string
  icon?: ReactNode
  onClick?: () => void
  children: ReactNode
}

/** A link that looks as a button does. */
export function LinkButton({ href, icon, onClick, children }: LinkButtonProps) {
  return (
    <Button
      component="a"
      variant="default"
      leftSection={icon}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
