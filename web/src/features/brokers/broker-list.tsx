import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { isAdmin } from "@/api/session"
import { brokerQuery, brokersQuery } from "@/api/shared-queries"
import { dateTime } from "@/lib/dates"
import { BrokerLogo } from "@/parts/broker-logo"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote, Loading, Skeleton } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import styles from "./brokers.module.css"
import { LogOutButton } from "./log-out-button"
import { offered } from "./offered"
import type { Missing } from "./queries"

/** The two brokers on offer: one that was added is viewed, the other added. */
export function BrokerList() {
  usePageTitle("Broker & Exchange")
  const brokers = useQuery(brokersQuery)
  const { data: connection } = useQuery(brokerQuery)
  const navigate = useNavigate()
  return (
    <Screen>
      {brokers.isError && (
        <ErrorNote message="Failed to fetch data" onRetry={() => brokers.refetch()} />
      )}
      {brokers.isPending && (
        <div className="sr-only">
          <Loading />
        </div>
      )}
      <div className={styles.cards}>
        {offered.map(({ name, label }) => {
          const added = brokers.data?.find((each) => each.name === name)
          const isConnected = connection?.isConnected === true && connection.broker === name
          return (
            <Card key={name} title={label} actions={added && <StatusPill word={added.status} />}>
              <div className={styles.broker}>
                <BrokerLogo name={name} logo={added?.logo} />
                <div className={styles.words}>
                  <p>{brokers.data && descriptionOf(added)}</p>
                  {added && added.missing.length > 0 && (
                    <p className={styles.missing}>{missingWords(added.missing)}</p>
                  )}
                  {isConnected && (
                    <p className={styles.connected}>
                      Connected until {dateTime(connection.connectedUntil)}
                    </p>
                  )}
                </div>
              </div>
              {brokers.isPending && <Skeleton width={96} height={32} />}
              {/* Whether a broker was added is not known before the list is there. */}
              {brokers.data && (
                <div className={styles.acts}>
                  <Button
                    onClick={() =>
                      void navigate({
                        to: "/home/broker-exchange",
                        state: { brokerName: label, brokerId: added?._id ?? null },
                      })
                    }
                  >
                    {added ? "View" : "Add Broker"}
                  </Button>
                  {isConnected && isAdmin() && <LogOutButton broker={label} />}
                </div>
              )}
            </Card>
          )
        })}
      </div>
    </Screen>
  )
}

const descriptionOf = (added: { description: string } | undefined) =>
  added ? added.description || "No description" : "Not added yet"

const partOf: Record<Missing, string> = { API_KEY: "API key", API_SECRET: "API secret" }

/** What the record lacks before anybody can log in: "API key and API secret missing". */
const missingWords = (missing: Missing[]) =>
  `${missing.map((each) => partOf[each]).join(" and ")} missing. Nobody can log in until then.`
