import { Checkbox, SegmentedControl } from "@mantine/core"
import "@mantine/core/styles/SegmentedControl.css"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import { firmQuery } from "@/api/shared-queries"
import { longDate } from "@/lib/dates"
import { setAppearance, useAppearance } from "@/ui/appearance"
import { Card, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote } from "@/ui/states"

const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: () => dataOf(api.GET("/profile")),
})

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
      <SegmentedControl
        aria-label="Theme"
        value={scheme}
        onChange={(chosen) => setAppearance({ scheme: chosen })}
        data={[
          { value: "system", label: "As the device" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
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
