import { Link } from "@tanstack/react-router"
import { TabLinks } from "@/ui/tab-links"

const screens = [
  { to: "/home/compliance", label: "Obligations" },
  { to: "/home/compliance/complaints", label: "Complaints" },
  { to: "/home/compliance/certificates", label: "Certificates" },
  { to: "/home/compliance/own-trading", label: "Own trading" },
  { to: "/home/compliance/advertisements", label: "Advertisements" },
  { to: "/home/compliance/ai-tools", label: "AI use" },
  { to: "/home/compliance/handles", label: "Handles and sites" },
  { to: "/home/compliance/incidents", label: "Incidents" },
  { to: "/home/compliance/rules", label: "Rules" },
  { to: "/home/compliance/packs", label: "Inspection packs" },
] as const

/** Links between the obligations and the registers. */
export function RegisterNav() {
  return (
    <TabLinks label="Compliance">
      {screens.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </TabLinks>
  )
}
