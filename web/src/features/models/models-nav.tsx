import { Link } from "@tanstack/react-router"
import styles from "./models.module.css"

const places = [
  { to: "/home/models", label: "Models" },
  { to: "/home/models/book", label: "Rebalance the book" },
  { to: "/home/models/drift", label: "Drift" },
] as const

/** The three lists of model portfolios, side by side. */
export function ModelsNav() {
  return (
    <nav className={styles.nav} aria-label="Model portfolios">
      {places.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
