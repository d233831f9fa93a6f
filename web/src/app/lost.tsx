import { Link, useLocation, useRouter } from "@tanstack/react-router"
import { Logo } from "@/ui/logo"
import { usePageTitle } from "@/ui/page-title"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import styles from "./lost.module.css"

/** An unknown address. Inside the protected area the header already has the logo and the heading. */
export function MissingScreen() {
  const title = "This page does not exist"
  const isInside = useLocation().pathname.startsWith("/home")
  usePageTitle("Page not found")
  const Frame = isInside ? "div" : "main"
  return (
    <Frame className={styles.missing} data-alone={!isInside}>
      {!isInside && <Logo size={32} />}
      <EmptyState
        title={isInside ? title : <h1>{title}</h1>}
        hint="The address may be mistyped, or the page has moved."
        action={<Link to="/home/dashboard">Go to the dashboard</Link>}
      />
    </Frame>
  )
}

/** A screen that failed; the rest of the app keeps working. */
export function BrokenScreen() {
  const router = useRouter()
  return <ErrorNote message="Something went wrong" onRetry={() => router.invalidate()} />
}

/** While the signed-in person or the code of a screen is loading. */
export function WaitingScreen() {
  return <Loading />
}
