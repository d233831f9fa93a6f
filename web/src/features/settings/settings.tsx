import { Checkbox } from "@mantine/core"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"
import { longDate } from "@/lib/dates"
import { setAppearance, useAppearance } from "@/ui/appearance"
import { Card, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { usePageTitle } from "@/ui/page-title"
import { Segments } from "@/ui/segments"
import { ErrorNote } from "@/ui/states"

const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: () => dataOf(api.GET("/profile")),
})

const themes = { system: "As the device", light: "Light", dark: "Dark" } as const

export function Settings() {
  usePageTitle("Settings")
  const profile = useQuery(profileQuery)
  const firm = useQuery(firmQuery)
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
        {firm.isError ? (
          <ErrorNote message="Failed to fetch data" onRetry={firm.refetch} />
        ) : (
          <Facts
            facts={[
              ["Registration number", firm.data?.registrationNumber],
              ["Analyst name", firm.data?.analystName],
              ["Valid from", longDate(firm.data?.registeredFrom)],
              ["Validity", firm.data?.validity],
            ]}
            isLoading={firm.isPending}
          />
        )}
      </Card>
      <Card title="Appearance">
        <AppearanceChoice />
      </Card>
    </Screen>
  )
}

function AppearanceChoice() {
  const { scheme, palette } = useAppearance()
  return (
    <div style={{ display: "grid", gap: 16, justifyItems: "start" }}>
      <Segments
        label="Theme"
        choices={themes}
        value={scheme}
        onChoice={(chosen) => setAppearance({ scheme: chosen })}
      />
      <Checkbox
        label="Blue and orange"
        description="Shows gain in blue and loss in orange, for eyes that see red and green alike"
        size="sm"
        checked={palette === "blue-orange"}
        onChange={(event) =>
          setAppearance({ palette: event.currentTarget.checked ? "blue-orange" : "standard" })
        }
      />
    </div>
  )
}
