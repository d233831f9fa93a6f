import { Checkbox } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { firmQuery } from "@/api/shared-queries"
import { longDate, today } from "@/lib/dates"
import { setAppearance, useAppearance } from "@/ui/appearance"
import { Card, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Segments } from "@/ui/form/segments"
import { ErrorNote } from "@/ui/states"
import { PasskeysCard } from "./passkeys"
import { profileQuery } from "./queries"
import { renewalTone, renewalWords } from "./renewal"
import { SecondFactorCard } from "./second-factor"
import { SessionsCard } from "./sessions"
import styles from "./settings.module.css"

const themes = { system: "System", light: "Light", dark: "Dark" } as const

/** The signed-in person's profile, the firm's registration, and the appearance on this device. */
export function OwnSettings() {
  const profile = useQuery(profileQuery)
  return (
    <Screen>
      <Card title="Profile">
        {profile.isError ? (
          <ErrorNote message="Failed to fetch data" onRetry={profile.refetch} />
        ) : (
          <Facts
            facts={[
              ["Name", profile.data?.name],
              ["Email", profile.data?.email],
              ["Role", profile.data?.role],
            ]}
            isLoading={profile.isPending}
          />
        )}
      </Card>
      <Card title="Registration">
        <RegistrationNotice />
      </Card>
      <Card title="Appearance">
        <AppearanceChoice />
      </Card>
      <SecondFactorCard />
      <PasskeysCard />
      <SessionsCard />
    </Screen>
  )
}

function RegistrationNotice() {
  const firm = useQuery(firmQuery)
  if (firm.isError) return <ErrorNote message="Failed to fetch data" onRetry={firm.refetch} />
  const { registrationNumber, analystName, registeredFrom, validity, renewalOn } = firm.data ?? {}
  const now = today()
  return (
    <Facts
      facts={[
        ["Registration number", registrationNumber],
        ["Analyst name", analystName],
        ["Valid from", longDate(registeredFrom)],
        ["Validity", validity],
        [
          "Renewal",
          renewalOn && (
            <>
              {longDate(renewalOn)}{" "}
              <span className={styles.countdown} data-tone={renewalTone(renewalOn, now)}>
                {renewalWords(renewalOn, now)}
              </span>
            </>
          ),
        ],
      ]}
      isLoading={firm.isPending}
    />
  )
}

function AppearanceChoice() {
  const { scheme, palette } = useAppearance()
  return (
    <div className={styles.choices}>
      <Segments
        label="Theme"
        choices={themes}
        value={scheme}
        onChoice={(chosen) => setAppearance({ scheme: chosen })}
      />
      <Checkbox
        label="Blue and orange"
        description="Shows gain in blue and loss in orange, for red-green colour blindness"
        size="sm"
        checked={palette === "blue-orange"}
        onChange={(event) =>
          setAppearance({ palette: event.currentTarget.checked ? "blue-orange" : "standard" })
        }
      />
    </div>
  )
}
