import { useQuery } from "@tanstack/react-query"
import { BookOpen, KeyRound, TimerReset } from "lucide-react"
import { messageOf } from "@/api/client"
import { dateTime } from "@/lib/dates"
import { Button } from "@/ui/button"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote, Loading } from "@/ui/states"
import { ClientPage } from "./client-page"
import styles from "./client-page.module.css"
import { linkQuery, type ShownLink, useBeginLogin } from "./connect-queries"
import { labelOf } from "./offered"

/** What a client sees behind the link that the firm sent: who asks for what, and the way to the broker's log-in. */
export function ConnectPage({ token }: { token: string }) {
  usePageTitle("Connect your broker")
  const link = useQuery(linkQuery(token))
  if (link.isPending)
    return (
      <ClientPage title="Connect your broker">
        <Loading text="Opening the link..." />
      </ClientPage>
    )
  if (link.isError)
    return (
      <ClientPage
        title="This link no longer works"
        lead={messageOf(link.error, "Something went wrong. Try again in a minute.")}
      >
        <p className={styles.note}>A link works once, within two days. A newer link replaces it.</p>
      </ClientPage>
    )
  return <Invitation token={token} link={link.data} />
}

function Invitation({ token, link }: { token: string; link: ShownLink }) {
  const begin = useBeginLogin(token)
  const isBusy = begin.isPending || begin.isSuccess
  return (
    <ClientPage
      title="Connect your broker"
      lead={`${link.clientName}, ${link.firmName} asks to read your account at your broker.`}
    >
      <ul className={styles.steps}>
        <li>
          <KeyRound size={18} aria-hidden="true" />
          <span>You log in on your broker’s own page. We never see your password.</span>
        </li>
        <li>
          <BookOpen size={18} aria-hidden="true" />
          <span>
            We read your holdings, your available funds and today’s orders. We cannot place orders.
          </span>
        </li>
        <li>
          <TimerReset size={18} aria-hidden="true" />
          <span>
            The connection ends automatically, usually the next morning. You can end it earlier in
            your broker’s app.
          </span>
        </li>
      </ul>
      <div className={styles.buttons}>
        {link.brokers.map((name) => (
          <Button
            key={name}
            kind={link.brokers.length === 1 ? "primary" : "default"}
            isBusy={isBusy && begin.variables === name}
            disabled={isBusy && begin.variables !== name}
            onClick={() => begin.mutate(name)}
          >
            Continue to {labelOf(name)}
          </Button>
        ))}
      </div>
      {link.brokers.length === 0 && (
        <ErrorNote message={`${link.firmName} cannot connect your broker now. Please ask them.`} />
      )}
      {begin.isError && (
        <div className={styles.error}>
          <ErrorNote
            message={messageOf(begin.error, "Something went wrong. Try again in a minute.")}
          />
        </div>
      )}
      <p className={styles.note}>
        The link works once, until {dateTime(link.expiresAt)}. If you did not expect it, close this
        page.
      </p>
    </ClientPage>
  )
}
