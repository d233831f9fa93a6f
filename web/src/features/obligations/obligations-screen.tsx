import { Card } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { EmptyState } from "@/ui/states"

/** What the firm owes the regulator, by its due day. */
export function ObligationsScreen() {
  usePageTitle("Compliance")
  return (
      <Card>
        <EmptyState title="No Data Available" hint="Nothing is due." />
      </Card>
    </>
  )
}
