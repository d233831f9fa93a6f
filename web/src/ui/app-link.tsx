import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"

/** A link to an address of the product that the server names; Ctrl and Shift open it as usual. */
export function AppLink({ to, children }: { to: string; children: ReactNode }) {
  const router = useRouter()
  return (
    <a
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        router.history.push(to)
      }}
    >
      {children}
    </a>
  )
}
