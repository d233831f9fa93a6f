import { Loader } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError, messageOf } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"
import { dateTime } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Facts } from "@/ui/facts"
import { ClientPage } from "./client-page"
import styles from "./client-page.module.css"
import { type TakenSession, takenSessionQuery } from "./connect-queries"
import { handover, isRefused } from "./handover"
import { labelOf } from "./offered"

const AGAIN = "You can open your link again."

/** Where a client returns from the broker's page: sends the broker's tokens to the server and shows the result. */
export function ClientReturn() {
  const [given] = useState(handover)
  const isFailed = isRefused(given)
  const taken = useQuery({ ...takenSessionQuery(given), enabled: !isFailed })
  if (isFailed)
    return (
      <ClientPage title="Authentication Failed" lead="No valid broker token received.">
        <p className={styles.note}>{AGAIN}</p>
      </ClientPage>
    )
  if (taken.isPending)
    return (
      <ClientPage title="Redirecting..." lead="Please wait while we redirect you.">
        <Loader size={28} mt={20} aria-hidden="true" />
      </ClientPage>
    )
  if (taken.isError) {
    const isUnreached = taken.error instanceof ApiError && taken.error.isNetwork
    return (
      <ClientPage
        title="Not connected"
        lead={messageOf(taken.error, "Something went wrong. Try again in a minute.")}
      >
        {isUnreached ? (
          <div className={styles.facts}>
            <Button isBusy={taken.isFetching} onClick={() => void taken.refetch()}>
              Try again
            </Button>
          </div>
        ) : (
          <p className={styles.note}>{AGAIN}</p>
        )}
      </ClientPage>
    )
  }
  return <Taken taken={taken.data} />
}

function Taken({ taken }: { taken: TakenSession }) {
  const { data: firm } = useQuery(firmQuery)
  const who = firm?.name ?? "The firm"
  return (
    <ClientPage
      title={taken.isConfirmed ? "You are connected" : "Almost done"}
      lead={
        taken.isConfirmed
          ? `${who} can now read your holdings, funds and today’s orders.`
          : `${who} checks that this is your ID; then you are connected.`
      }
    >
      <div className={styles.facts}>
        <Facts
          facts={[
            ["Broker", labelOf(taken.broker)],
            ["Your ID at the broker", taken.brokerUserId],
            ["Valid until", dateTime(taken.expiresAt)],
          ]}
        />
      </div>
      <p className={styles.note}>There is nothing more to do. You can close this page.</p>
    </ClientPage>
  )
}
