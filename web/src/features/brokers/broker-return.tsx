import { Loader } from "@mantine/core"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useCallback, useState } from "react"
import { session } from "@/api/session"
import { Logo } from "@/ui/logo"
import { usePageTitle } from "@/ui/page-title"
import styles from "./brokers.module.css"
import { ClientReturn } from "./client-return"
import { handover, isClientLogin, isMobile, isRefused, tokenOf } from "./handover"
import { useAppRedirect, useLinkDelay, useStaffReturn } from "./use-return"

/**
 * Where a broker's log-in page sends people: into the app on a phone, back to the advice form on a desk. A client
 * who came by a link is done here.
 */
export function BrokerReturn() {
  usePageTitle("Redirecting...")
  const [isOnPhone] = useState(isMobile)
  const [isClients] = useState(() => isClientLogin(handover()))
  if (isClients) return <ClientReturn />
  return isOnPhone ? <PhoneReturn /> : <DeskReturn />
}

function PhoneReturn() {
  const [given] = useState(handover)
  const isFailed = isRefused(given)
  const { address, isAppMissing } = useAppRedirect(given, !isFailed)
  const hasLink = useLinkDelay()
  if (isFailed) return <Failed />
  const link = address !== null && hasLink && <a href={address}>Click here if not redirected</a>
  if (isAppMissing)
    return (
      <Page title="App Not Found" text="Please ensure your app is installed and try again.">
        {link}
      </Page>
    )
  return <Going>{link}</Going>
}

function DeskReturn() {
  const [given] = useState(handover)
  const navigate = useNavigate()
  const goOn = useCallback(() => {
    const token = tokenOf(given)
    if (token && !isRefused(given)) {
      const { state, refreshToken, feedToken } = given
      session.set("brokerLogin", JSON.stringify({ state, refreshToken, feedToken }))
      session.set("brokerToken", token)
    }
    void navigate({ to: "/home/advice", replace: true })
  }, [given, navigate])
  const isStaff = useStaffReturn(goOn)
  const hasLink = useLinkDelay()
  const link = isStaff && hasLink && (
    <Link
      to="/home/advice"
      onClick={(event) => {
        event.preventDefault()
        goOn()
      }}
    >
      Click here if not redirected
    </Link>
  )
  if (isStaff && isRefused(given)) return <Failed>{link}</Failed>
  return <Going>{link}</Going>
}

const Failed = ({ children }: { children?: ReactNode }) => (
  <Page title="Authentication Failed" text="No valid broker token received.">
    {children}
  </Page>
)

const Going = ({ children }: { children?: ReactNode }) => (
  <Page title="Redirecting..." text="Please wait while we redirect you." isWaiting>
    {children}
  </Page>
)

interface PageProps {
  title: string
  text: string
  isWaiting?: boolean
  children?: ReactNode
}

function Page({ title, text, isWaiting = false, children }: PageProps) {
  return (
    <main className={styles.return}>
      {isWaiting ? <Loader size={32} aria-hidden="true" /> : <Logo size={32} />}
      <div role={isWaiting ? "status" : "alert"}>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <div className={styles.link}>{children}</div>
    </main>
  )
}
