import type { LinkProps } from "@tanstack/react-router"
import {
  CircleCheck,
  IndianRupee,
  Landmark,
  Layers,
  LayoutDashboard,
  ListChecks,
  ListTodo,
  MoveHorizontal,
  Receipt,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  Split,
  Stamp,
  Target,
  UserCog,
  UserRoundCheck,
  Users,
} from "lucide-react"
import type { ReactNode } from "react"

interface ScreenEntry {
  label: string
  to: LinkProps["to"]
  icon: ReactNode
  /** The entry is active on every address that starts with this. */
  prefix: string
  /** The key after `G` that goes there. */
  key: string
  adminOnly?: boolean
  /** Not for a USER who sees the clients of own teams alone. */
  ofAllClients?: boolean
  /** Reached from another screen, the palette or its keys; not in the sidebar. */
  isWithin?: boolean
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
    label: "Readiness",
    to: "/home/readiness",
    icon: <CircleCheck size={16} aria-hidden="true" />,
    prefix: "/home/readiness",
    key: "Y",
  },
  {
    label: "Corporate actions",
    to: "/home/corporate-actions",
    icon: <Split size={16} aria-hidden="true" />,
    prefix: "/home/corporate-actions",
    key: "O",
    ofAllClients: true,
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
    label: "Follow-up",
    to: "/home/follow-up",
    icon: <ListTodo size={16} aria-hidden="true" />,
    prefix: "/home/follow-up",
    key: "U",
  },
  {
    label: "Models",
    to: "/home/models",
    icon: <Layers size={16} aria-hidden="true" />,
    prefix: "/home/models",
    key: "M",
  },
  {
    label: "Rebalance the book",
    to: "/home/models/book",
    icon: <ListChecks size={16} aria-hidden="true" />,
    prefix: "/home/models/book",
    key: "K",
    adminOnly: true,
    isWithin: true,
  },
  {
    label: "Drift",
    to: "/home/models/drift",
    icon: <MoveHorizontal size={16} aria-hidden="true" />,
    prefix: "/home/models/drift",
    key: "I",
    isWithin: true,
  },
  {
    label: "Calls",
    to: "/home/models/calls",
    icon: <Target size={16} aria-hidden="true" />,
    prefix: "/home/models/calls",
    key: "L",
    isWithin: true,
  },
  {
    label: "Fees",
    to: "/home/fees",
    icon: <IndianRupee size={16} aria-hidden="true" />,
    prefix: "/home/fees",
    key: "F",
  },
  {
    label: "Invoices",
    to: "/home/invoices",
    icon: <Receipt size={16} aria-hidden="true" />,
    prefix: "/home/invoices",
    key: "V",
    isWithin: true,
  },
  {
    label: "Compliance",
    to: "/home/compliance",
    icon: <ShieldCheck size={16} aria-hidden="true" />,
    prefix: "/home/compliance",
    key: "P",
    adminOnly: true,
  },
  {
    label: "Approvals",
    to: "/home/approvals",
    icon: <Stamp size={16} aria-hidden="true" />,
    prefix: "/home/approvals",
    key: "J",
    isWithin: true,
  },
  {
    label: "Own trading",
    to: "/home/own-trading",
    icon: <UserRoundCheck size={16} aria-hidden="true" />,
    prefix: "/home/own-trading",
    key: "W",
    isWithin: true,
  },
  {
    label: "Broker & Exchange",
    to: "/home/broker-details",
    icon: <Landmark size={16} aria-hidden="true" />,
    prefix: "/home/broker",
    key: "B",
  },
  {
    label: "Roles & Permission",
    to: "/home/roles-permission",
    icon: <UserCog size={16} aria-hidden="true" />,
    prefix: "/home/roles-permission",
    key: "R",
  },
  {
    label: "Settings",
    to: "/home/settings",
    icon: <Settings size={16} aria-hidden="true" />,
    prefix: "/home/settings",
    key: "S",
  },
  {
    label: "Audit Trail",
    to: "/home/audit",
    icon: <ScrollText size={16} aria-hidden="true" />,
    prefix: "/home/audit",
    key: "T",
    adminOnly: true,
    isWithin: true,
  },
]
