import { Link } from "@tanstack/react-router"
import { useSession } from "@/api/use-session"
import { TabLinks } from "@/ui/tab-links"

const screens = [
  { to: "/home/models", label: "Models" },
  { to: "/home/models/book", label: "Rebalance the book", adminOnly: true },
  { to: "/home/models/drift", label: "Drift" },
  { to: "/home/models/calls", label: "Calls" },
] as const

/** Links between the lists of model portfolios. Rebalances of the book contain draft advice: only for ADMIN. */
export function ModelsNav() {
  const isAdmin = useSession("role") === "ADMIN"
  return (
    <TabLinks label="Model portfolios">
      {screens
        .filter((screen) => isAdmin || !("adminOnly" in screen))
        .map(({ to, label }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {label}
          </Link>
        ))}
    </TabLinks>
  )
}
