import { useQuery } from "@tanstack/react-query"
import { Monitor, Smartphone } from "lucide-react"
import { useState } from "react"
import { isAdmin } from "@/api/session"
import { age, dateTime } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { Segments } from "@/ui/form/segments"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { type LiveSession, sessionsQuery, useEndSession, type Whose } from "./account-queries"
import styles from "./account.module.css"

const choices = { own: "Mine", all: "All" } as const

/** The person's sessions, and for an ADMIN those of all; each can be ended. */
export function SessionsCard() {
  const [whose, setWhose] = useState<Whose>("own")
  const sessions = useQuery(sessionsQuery(whose))
  const end = useEndSession(whose)
  const ask = async (session: LiveSession) => {
    const isSure = await confirm({
      title: "End this session?",
      text: `${session.name ? `${session.name}, ` : ""}${session.userAgent} will be logged out.`,
      act: "End session",
      isDanger: true,
    })
    if (isSure) end.mutate(session._id)
  }
  return (
    <Card
      title="Sessions"
      note="A session ends after 30 minutes of inactivity, or when you end it here"
      actions={
        isAdmin() && (
          <Segments label="Whose sessions" choices={choices} value={whose} onChoice={setWhose} />
        )
      }
    >
      {sessions.isPending && <Loading />}
      {sessions.isError && <ErrorNote message="Failed to fetch data" onRetry={sessions.refetch} />}
      {sessions.data?.length === 0 && <EmptyState title="No Data Available" />}
      <ul className={styles.sessions}>
        {sessions.data?.map((session) => (
          <SessionLine
            key={session._id}
            session={session}
            isEnding={end.isPending && end.variables === session._id}
            onEnd={() => void ask(session)}
          />
        ))}
      </ul>
    </Card>
  )
}

interface SessionLineProps {
  session: LiveSession
  isEnding: boolean
  onEnd: () => void
}

function SessionLine({ session, isEnding, onEnd }: SessionLineProps) {
  const { name, email, userAgent, ip, createdAt, lastSeenAt, isCurrent } = session
  const Picture = /iPhone|iPad|Android/.test(userAgent) ? Smartphone : Monitor
  return (
    <li className={styles.session}>
      <Picture size={18} aria-hidden="true" />
      <div className={styles.where}>
        <p>
          <strong>{name ?? userAgent}</strong>
          {isCurrent && <span className={styles.current}>This session</span>}
        </p>
        <p className={styles.hint}>
          {name !== undefined && `${email ?? ""} · ${userAgent} · `}
          {ip} · seen {age(lastSeenAt)} ·{" "}
          <span className={styles.since}>since {dateTime(createdAt)}</span>
        </p>
      </div>
      {!isCurrent && (
        <Button isBusy={isEnding} onClick={onEnd} aria-label={`End session: ${name ?? userAgent}`}>
          End session
        </Button>
      )}
    </li>
  )
}
