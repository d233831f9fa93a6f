import type { LinkProps } from "@tanstack/react-router"
import { LayoutDashboard, Scale, Settings, Users } from "lucide-react"
import type { ReactNode } from "react"

export interface ScreenEntry {
  label: string
  to: LinkProps["to"]
  icon: ReactNode
  /** The entry is lit on every address that starts so. */
  prefix: string
  /** The key after `G` that goes there. */
  key: string
  adminOnly?: boolean
}

/** The sidebar, the palette and the `G` keys, in their order. A new screen is one entry here. */
export const screens: ScreenEntry[] = [
  {
    label: "Dashboard",
    to: "/home/dashboard",
    icon: <LayoutDashboard size={16} aria-hidden="true" />,
    prefix: "/home/dashboard",
    key: "D",
  },
  {
    label: "Client Details",
    to: "/home/client/details",
    icon: <Users size={16} aria-hidden="true" />,
    prefix: "/home/client",
    key: "C",
  },
  {
    label: "Advice",
    to: "/home/advice",
    icon: <Scale size={16} aria-hidden="true" />,
    prefix: "/home/advice",
    key: "A",
    adminOnly: true,
  },
  {
    label: "Settings",
    to: "/home/settings",
    icon: <Settings size={16} aria-hidden="true" />,
    prefix: "/home/settings",
    key: "S",
  },
]
