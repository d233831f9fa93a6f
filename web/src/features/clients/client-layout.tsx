import { useQuery } from "@tanstack/react-query"
import { Link, Navigate, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import { ChevronLeft, ChevronRight, Send } from "lucide-react"
import { type ComponentType, useEffect, useRef } from "react"
import { ApiError, messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { SampleClientNotice } from "@/parts/sample-client"
import { Button, IconButton } from "@/ui/button"
import { usePageTitle } from "@/ui/page-title"
import { EmptyState, ErrorNote, Skeleton } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { StickyAction } from "@/ui/sticky-action"
import { TabLinks } from "@/ui/tab-links"
import styles from "./client-layout.module.css"
import { clientTabs, titleOf } from "./client-tabs"
import { clientProfileQuery } from "./queries"
import { ReportButton } from "./report-button"
import { useClientSteps } from "./use-client-steps"

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join("")

interface ClientLayoutProps {
  /** The button that edits the client's record; another feature's. */
  edit: ComponentType<{ clientId: string; email: string | undefined }>
}

/** The head of every tab of the chosen client: the name, previous and next client, the tabs. */
export function ClientLayout({ edit }: ClientLayoutProps) {
  const clientId = useSession("clientId")
  const isSignedIn = useSession("token") !== null
  // A session that ended takes the client with it; who logs in again comes back here.
  if (clientId === null) return isSignedIn && <Navigate to="/home/client/details" replace />
  return <ChosenClient clientId={clientId} edit={edit} />
}

function ChosenClient({ clientId, edit: Edit }: ClientLayoutProps & { clientId: string }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const username = useSession("username")
  const isAdmin = useSession("role") === "ADMIN"
  const client = useQuery(clientProfileQuery(clientId))
  const isSample = client.data?.status === "SAMPLE"
  const { before, after, stepTo } = useClientSteps(client.data)
  usePageTitle(titleOf(pathname), client.data?.name)
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the tabs scroll sideways; the one on show is always in sight.
    const shown = tabs.current?.querySelector("[aria-current='page']")
    shown?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [pathname])

  if (client.error instanceof ApiError && client.error.status === 404) {
    return (
      <EmptyState
        title={messageOf(client.error, "Failed to fetch client data")}
        hint="The record may have been deleted."
        action={
          <Button onClick={() => void navigate({ to: "/home/client/details" })}>All clients</Button>
        }
      />
    )
  }
  return (
    <>
      {isSample && <SampleClientNotice clientId={clientId} />}
      <div className={styles.client}>
        <span className={styles.avatar} aria-hidden="true">
          {initials(client.data?.name ?? "")}
        </span>
        <div className={styles.who}>
          <h2>{client.data?.name ?? <Skeleton width={160} />}</h2>
          <span className={styles.code}>
            {client.data?.clientId ?? username}
            {client.data && client.data.status !== "ACTIVE" && (
              <StatusPill word={client.data.status} />
            )}
          </span>
        </div>
        <div className={styles.steps}>
          <Edit key={clientId} clientId={clientId} email={client.data?.email} />
          <ReportButton clientId={clientId} />
          <IconButton
            framed
            label="Previous client ([)"
            icon={<ChevronLeft size={16} />}
            disabled={before === null}
            onClick={() => void stepTo(before)}
          />
          <IconButton
            framed
            label="Next client (])"
            icon={<ChevronRight size={16} />}
            disabled={after === null}
            onClick={() => void stepTo(after)}
          />
        </div>
        {isAdmin && username !== null && (
          <StickyAction>
            <Button
              kind="primary"
              icon={<Send size={15} />}
              onClick={() => void navigate({ to: "/home/advice", state: { username } })}
            >
              Send Advice
            </Button>
          </StickyAction>
        )}
      </div>
      <TabLinks ref={tabs} label="Client">
        {clientTabs.map(({ label, to }) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
      </TabLinks>
      {client.isError && (
        <ErrorNote
          message={messageOf(client.error, "Failed to fetch client data")}
          onRetry={client.refetch}
        />
      )}
      <Outlet key={clientId} />
    </>
  )
}
