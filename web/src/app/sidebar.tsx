import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { LogOut, PanelLeftClose, PanelLeftOpen } from "lucide-react"
import { firmQuery } from "@/api/shared-queries"
import { IconButton } from "@/ui/button"
import { Logo } from "@/ui/logo"
import { Registration } from "@/parts/registration"
import { useLogOut } from "./log-out"
import styles from "./sidebar.module.css"
import { useRole } from "./use-role"
import { useScreens } from "./use-screens"

interface SidebarProps {
  isNarrow: boolean
  /** Leave it out where the sidebar is a drawer. */
  onNarrow?: (isNarrow: boolean) => void
  onGone?: () => void
}

export function Sidebar({ isNarrow, onNarrow, onGone }: SidebarProps) {
  const { data: firm } = useQuery(firmQuery)
  const { pathname } = useLocation()
  const role = useRole()
  const screens = useScreens()
  const logOut = useLogOut()
  return (
    <div className={styles.sidebar} data-narrow={isNarrow}>
      <Link to="/home/dashboard" className={styles.brand} onClick={onGone} aria-label="Tarazu">
        <Logo />
        {!isNarrow && (
          <span aria-hidden="true">
            Tarazu <small lang="hi">(तराज़ू)</small>
          </span>
        )}
      </Link>
      <nav className={styles.nav} aria-label="Screens">
        {screens
          .filter((screen) => !screen.isWithin)
          .map(({ label, to, icon, prefix }) => (
            <Link
              key={label}
              to={to}
              className={styles.entry}
              onClick={onGone}
              aria-label={isNarrow ? label : undefined}
              title={isNarrow ? label : undefined}
              aria-current={pathname.startsWith(prefix) ? "page" : undefined}
              activeProps={{}}
            >
              {icon}
              {!isNarrow && label}
            </Link>
          ))}
      </nav>
      <div className={styles.foot}>
        {!isNarrow && (
          <Registration
            firm={firm}
            lead={
              role === "ADMIN" && (
                <Link to="/home/settings" search={{ section: "firm" }} onClick={onGone}>
                  Enter firm details
                </Link>
              )
            }
          />
        )}
        <div className={styles.buttons}>
          <button
            type="button"
            className={styles.entry}
            onClick={() => void logOut()}
            aria-label={isNarrow ? "Logout" : undefined}
            title={isNarrow ? "Logout" : undefined}
          >
            <LogOut size={16} aria-hidden="true" />
            {!isNarrow && "Logout"}
          </button>
          {onNarrow && (
            <IconButton
              label={isNarrow ? "Expand sidebar" : "Collapse sidebar"}
              icon={
                isNarrow ? (
                  <PanelLeftOpen size={16} aria-hidden="true" />
                ) : (
                  <PanelLeftClose size={16} aria-hidden="true" />
                )
              }
              onClick={() => onNarrow(!isNarrow)}
            />
          )}
        </div>
      </div>
    </div>
  )
}
