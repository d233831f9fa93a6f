import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import {
  CircleQuestionMark,
  CircleUser,
  Eye,
  EyeOff,
  LogOut,
  Menu,
  Moon,
  Search,
  Settings,
  Sun,
} from "lucide-react"
import { signedInQuery } from "@/api/shared-queries"
import { amountsHidden } from "@/lib/format"
import { setAppearance, useAppearance } from "@/ui/appearance"
import { IconButton } from "@/ui/button"
import { ButtonMenu } from "@/ui/overlay/menu"
import { useAmountsHidden } from "@/ui/money"
import { useShownTitle } from "@/ui/page-title"
import { useIsPhone } from "@/ui/use-media"
import { FeedBadge } from "./feed-badge"
import styles from "./header.module.css"
import { useLogOut } from "./log-out"

interface HeaderProps {
  onMenu: () => void
  onPalette: () => void
  onHelp: () => void
}

export function Header({ onMenu, onPalette, onHelp }: HeaderProps) {
  const title = useShownTitle()
  const isPhone = useIsPhone()
  const isHidden = useAmountsHidden()
  const { shown } = useAppearance()
  const Picture = isHidden ? EyeOff : Eye
  return (
    <header className={styles.header}>
      {isPhone && (
        <IconButton
          label="Open menu"
          icon={<Menu size={20} aria-hidden="true" />}
          onClick={onMenu}
        />
      )}
      <h1 className={styles.title}>{title}</h1>
      {!isPhone && <FeedBadge />}
      {isPhone ? (
        <IconButton
          label="Search or jump to"
          icon={<Search size={18} aria-hidden="true" />}
          onClick={onPalette}
        />
      ) : (
        <button type="button" className={styles.palette} onClick={onPalette}>
          <Search size={15} aria-hidden="true" />
          <span>Search or jump to…</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      <IconButton
        framed={!isPhone}
        label={isHidden ? "Show amounts" : "Hide amounts"}
        aria-pressed={isHidden}
        icon={<Picture size={16} aria-hidden="true" />}
        onClick={() => amountsHidden.set(!isHidden)}
      />
      {!isPhone && (
        <IconButton
          framed
          label={shown === "dark" ? "Use light colours" : "Use dark colours"}
          icon={
            shown === "dark" ? (
              <Sun size={16} aria-hidden="true" />
            ) : (
              <Moon size={16} aria-hidden="true" />
            )
          }
          onClick={() => setAppearance({ scheme: shown === "dark" ? "light" : "dark" })}
        />
      )}
      {!isPhone && (
        <IconButton
          framed
          label="Help (?)"
          icon={<CircleQuestionMark size={16} aria-hidden="true" />}
          aria-haspopup="dialog"
          onClick={onHelp}
        />
      )}
      <Account onHelp={isPhone ? onHelp : undefined} />
    </header>
  )
}

function Account({ onHelp }: { onHelp?: () => void }) {
  const { data: person } = useQuery(signedInQuery)
  const { shown } = useAppearance()
  const navigate = useNavigate()
  const logOut = useLogOut()
  const name = person?.name ?? "Account"
  return (
    <ButtonMenu
      label="Account"
      button={
        <IconButton
          label={`Account of ${name}`}
          icon={<CircleUser size={18} aria-hidden="true" />}
          aria-haspopup="menu"
        />
      }
      entries={[
        {
          label: person ? `${person.name} · ${person.role}` : "Settings",
          icon: <Settings size={15} aria-hidden="true" />,
          onSelect: () => void navigate({ to: "/home/settings" }),
        },
        {
          label: shown === "dark" ? "Light colours" : "Dark colours",
          icon: shown === "dark" ? <Sun size={15} /> : <Moon size={15} />,
          onSelect: () => setAppearance({ scheme: shown === "dark" ? "light" : "dark" }),
        },
        ...(onHelp
          ? [{ label: "Help", icon: <CircleQuestionMark size={15} />, onSelect: onHelp }]
          : []),
        {
          label: "Logout",
          icon: <LogOut size={15} aria-hidden="true" />,
          onSelect: () => void logOut(),
        },
      ]}
    />
  )
}
