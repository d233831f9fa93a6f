import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button } from "./button"

interface GoToProps {
  /** An address of the product. */
  to: string
  kind?: "primary" | "default"
  children: ReactNode
}

/** A button that leads to another screen, as the way out of an empty one. */
export function GoTo({ to, kind, children }: GoToProps) {
  const router = useRouter()
  return (
    <Button kind={kind} onClick={() => router.history.push(to)}>
      {children}
    </Button>
  )
}
