import { Link } from "@tanstack/react-router"
import { useSession } from "@/api/use-session"
import styles from "./models.module.css"

const places = [
  { to: "/home/models", label: "Models" },
  { to: "/home/models/book", label: "Rebalance the book", adminOnly: true },
  { to: "/home/models/drift", label: "Drift" },
] as const

/** The lists of model portfolios, side by side. What a rebalance of the book holds are drafts of advice: ADMIN's. */
export function ModelsNav() {
  const isAdmin = useSession("role") === "ADMIN"
  return (
    <nav className={styles.nav} aria-label="Model portfolios">
      {places
        .filter((place) => isAdmin || !("adminOnly" in place))
        .map(({ to, label }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {label}
          </Link>
        ))}
    </nav>
  )
}
