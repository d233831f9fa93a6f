import { Link } from "@tanstack/react-router"
import { TabLinks } from "@/ui/tab-links"

const screens = [
  { to: "/home/follow-up", label: "Advice sent" },
  { to: "/home/follow-up/stocks", label: "By stock" },
  { to: "/home/follow-up/questions", label: "Questions" },
] as const

/** Links between the screens of the follow-up. */
export function FollowUpNav() {
  return (
    <TabLinks label="Follow-up">
      {screens.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </TabLinks>
  )
}
