import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ChevronDown } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import type { components } from "@/api/schema"
import { firmQuery } from "@/api/shared-queries"
import { useSession } from "@/api/use-session"
import { recall, remember } from "@/lib/remember"
import { PRACTICE } from "@/parts/registration"
import { FeedBadge } from "./feed-badge"
import styles from "./firm-notices.module.css"

interface Notice {
  /** A few words, for a phone's single line. */
  brief: string
  text: ReactNode
}

type Noted = Pick<components["schemas"]["RegistrationNotice"], "isPractice" | "mail">

/** Where there is something to notice of the mail. */
const mails: Partial<Record<Noted["mail"], Notice>> = {
  NOT_SET_UP: {
    brief: "no mail",
    text: "No mail server is set up: nothing reaches clients.",
  },
  NOT_TESTED: {
    brief: "mail not tested",
    text: "No test mail has been delivered yet: clients may not receive mails.",
  },
}

const NOTED = "firm-notices"

/**
 * What there is to notice; until the server has said it, what it said the last time. Notices that come late push the
 * screen down, away from under a click.
 */
function useNoted(): Noted | null {
  const { data: firm } = useQuery(firmQuery)
  const [noted] = useState(() => recall(NOTED) as Noted | null)
  useEffect(() => {
    if (firm) remember(NOTED, { isPractice: firm.isPractice, mail: firm.mail } satisfies Noted)
  }, [firm])
  return firm ?? noted
}

function useNotices(): Notice[] {
  const firm = useNoted()
  const isAdmin = useSession("role") === "ADMIN"
  if (!firm) return []
  const notices: Notice[] = []
  if (firm.isPractice) notices.push({ brief: "not investment advice", text: PRACTICE })
  const mail = mails[firm.mail]
  if (mail) {
    const link = (
      <Link to="/home/settings" search={{ section: "mail" }}>
        Set up mail
      </Link>
    )
    notices.push({
      brief: mail.brief,
      text: (
        <>
          {mail.text} {isAdmin && link}
        </>
      ),
    })
  }
  return notices
}

const paragraphs = (notices: Notice[]) =>
  notices.map(({ brief, text }) => (
    <p key={brief} className={styles.notice}>
      {text}
    </p>
  ))

/** On every screen: that prices are simulated, and that mails do not reach clients. */
export function FirmNotices() {
  const notices = useNotices()
  if (notices.length === 0) return null
  return <section aria-label="Notices">{paragraphs(notices)}</section>
}

/** The price feed and the notices as a phone shows them: one line, which opens to the full texts. */
export function PhoneNotices() {
  const notices = useNotices()
  if (notices.length === 0) return <FeedBadge strip />
  return (
    <section aria-label="Notices">
      <details className={styles.phone}>
        <summary>
          <FeedBadge strip more={notices.map(({ brief }) => brief).join(" · ")} />
          <ChevronDown size={14} aria-hidden="true" />
        </summary>
        {paragraphs(notices)}
      </details>
    </section>
  )
}
