import { Link, useRouter } from "@tanstack/react-router"
import { EmptyState, ErrorNote } from "@/ui/states"

/** An address that leads nowhere. */
export function MissingScreen() {
  return (
    <EmptyState
      title="This page does not exist"
      hint="The address may be mistyped, or the page has moved."
      action={<Link to="/home/dashboard">Go to the dashboard</Link>}
    />
  )
}

/** A screen that failed; the rest of the app stays. */
export function BrokenScreen() {
  const router = useRouter()
  return <ErrorNote message="Something went wrong" onRetry={() => router.invalidate()} />
}
