import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { missing, percent, signedPercent, tone } from "@/lib/format"
import { Card, CardGrid, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { StatCard } from "@/ui/stat-card"
import { Loading } from "@/ui/states"
import { useIsPhone } from "@/ui/use-media"
import styles from "./client-profile.module.css"
import { ConnectionCard } from "./connection-card"
import { connectionQuery } from "./connection-queries"
import { LastSynced } from "./last-synced"
import { Remarks } from "./remarks"
import { RemindersCard, remindersQuery } from "./reminders-card"
import { SyncNow } from "./sync-now"
import {
  REFRESH_AFTER,
  type ClientProfile as Profile,
  clientProfileQuery,
  remarksQuery,
} from "./queries"

const brokerNames: Partial<Record<string, string>> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }

const phoneOf = ({ countryCode, contactNumber }: Profile) =>
  contactNumber === "" ? "" : `${countryCode} ${contactNumber}`

/** Percent gained on what was put in, or since purchase where that is not known. */
function Gain({ profile }: { profile: Profile }) {
  const { netPnLPercentage: gained, totalInvestment, isSincePurchase } = profile
  if (profile.totalPortfolio === null) return "No holdings or funds yet"
  if (totalInvestment !== null && totalInvestment <= 0) return "\u00a0"
  const basis = isSincePurchase ? "since purchase" : "on investment"
  return (
    <span className={tone(gained)}>
      {signedPercent(gained)} {basis}
    </span>
  )
}

/** A long address breaks before its @. */
function MailLink({ email }: { email: string }) {
  const [name, place] = email.split("@")
  return (
    <a href={`mailto:${email}`}>
      {name}
      <wbr />@{place}
    </a>
  )
}

/** Before the first answer, and before the first attempt that failed. */
const isWaiting = ({ isFetched, failureCount }: UseQueryResult) => !isFetched && failureCount === 0

export function ClientProfile() {
  const isPhone = useIsPhone()
  const clientId = useSession("clientId") ?? ""
  const query = useQuery({
    ...clientProfileQuery(clientId),
    refetchInterval: REFRESH_AFTER,
  })
  const { data: profile, isPending } = query
  // How high the cards above become is known with their data. What can be pressed below waits for that, so that
  // it does not move away under the pointer; its own data is asked for meanwhile.
  const connection = useQuery(connectionQuery(clientId))
  useQuery(remindersQuery(clientId))
  useQuery(remarksQuery(clientId))
  const { totalPortfolio = null, totalCash = null } = profile ?? {}
  const cashShare =
    totalPortfolio !== null && totalPortfolio > 0 && totalCash !== null
      ? (totalCash / totalPortfolio) * 100
      : null
  return (
    <Screen>
      <Card title="Profile">
        <Facts
          isLoading={isPending}
          facts={[
            ["Name", profile?.name],
            ["Client ID", profile?.clientId],
            ["Email", profile?.email && <MailLink email={profile.email} />],
            ["Phone", profile && phoneOf(profile)],
            ["Address", profile?.address],
          ]}
        />
      </Card>
      <CardGrid>
        <StatCard
          label="Current Portfolio Value"
          isLoading={isPending}
          value={<Money value={profile?.totalPortfolio} short={isPhone} />}
          context={profile ? <Gain profile={profile} /> : "\u00a0"}
        />
        <StatCard
          label="Total Investment"
          isLoading={isPending}
          value={<Money value={profile?.totalInvestment} short={isPhone} />}
          context={
            profile?.totalInvestment === null ? "Not entered yet" : "Deposits less withdrawals"
          }
        />
        <StatCard
          label="Cash Available"
          isLoading={isPending}
          value={<Money value={profile?.totalCash} short={isPhone} />}
          context={cashShare === null ? "\u00a0" : `${percent(cashShare)} of the portfolio`}
        />
        <LastSynced
          at={profile?.lastSync}
          isLoading={isPending}
          action={profile?.isConnected && <SyncNow clientId={clientId} />}
        />
      </CardGrid>
      <div className={styles.details}>
        <StatCard
          label="DOB"
          isLoading={isPending}
          value={date(profile?.dob)}
          context="Date of birth"
        />
        <StatCard
          label="Contact Info"
          isLoading={isPending}
          value={(profile && phoneOf(profile)) || missing}
          context={profile?.email ?? "\u00a0"}
        />
        <StatCard
          label="Broker ID"
          isLoading={isPending}
          value={profile?.userBrokerId || missing}
          context={(profile && brokerNames[profile.broker.name]) ?? "No broker yet"}
        />
      </div>
      {profile && <ConnectionCard clientId={clientId} name={profile.name} />}
      {isWaiting(query) || isWaiting(connection) ? (
        <Loading />
      ) : (
        <>
          <RemindersCard clientId={clientId} />
          <Remarks clientId={clientId} />
        </>
      )}
    </Screen>
  )
}
