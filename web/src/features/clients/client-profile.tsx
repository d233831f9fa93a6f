import { useQuery } from "@tanstack/react-query"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { missing, percent, signedPercent, tone } from "@/lib/format"
import { Card, CardGrid, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { StatCard } from "@/ui/stat-card"
import { useIsPhone } from "@/ui/use-media"
import styles from "./client-profile.module.css"
import { ConnectionCard } from "./connection-card"
import { LastSynced } from "./last-synced"
import { Remarks } from "./remarks"
import { SyncNow } from "./sync-now"
import { CALM, type ClientProfile as Profile, clientProfileQuery } from "./queries"

const brokerNames: Partial<Record<string, string>> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }

const phoneOf = ({ countryCode, contactNumber }: Profile) =>
  contactNumber === "" ? "" : `${countryCode} ${contactNumber}`

/** Percent gained on what was put in; nothing to say when nothing was. */
function Gain({ profile }: { profile: Profile }) {
  const { totalPortfolio, totalInvestment } = profile
  if (totalInvestment <= 0) return "\u00a0"
  const gained = (totalPortfolio / totalInvestment - 1) * 100
  return <span className={tone(gained)}>{signedPercent(gained)} on investment</span>
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

export function ClientProfile() {
  const isPhone = useIsPhone()
  const clientId = useSession("clientId") ?? ""
  const { data: profile, isPending } = useQuery({
    ...clientProfileQuery(clientId),
    refetchInterval: CALM,
  })
  const cashShare =
    profile && profile.totalPortfolio > 0
      ? (profile.totalCash / profile.totalPortfolio) * 100
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
          context={profile && <Gain profile={profile} />}
        />
        <StatCard
          label="Total Investment"
          isLoading={isPending}
          value={<Money value={profile?.totalInvestment} short={isPhone} />}
          context="Put in, less taken out"
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
          context={profile?.email}
        />
        <StatCard
          label="Broker ID"
          isLoading={isPending}
          value={profile?.userBrokerId || missing}
          context={(profile && brokerNames[profile.broker.name]) ?? "No broker yet"}
        />
      </div>
      {profile && <ConnectionCard clientId={clientId} name={profile.name} />}
      <Remarks clientId={clientId} />
    </Screen>
  )
}
