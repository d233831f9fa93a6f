import { createFileRoute } from "@tanstack/react-router"
import { ImportPrices } from "@/features/portfolio/import-prices"
import { isSection, type Section } from "@/features/settings/sections"
import { Settings } from "@/features/settings/settings"

export const Route = createFileRoute("/home/settings")({
  validateSearch: (search): { section?: Section } => ({
    section: isSection(search.section) ? search.section : undefined,
  }),
  component: SettingsRoute,
})

/** Two features meet: the settings of one open the import of the other. */
function SettingsRoute() {
  return <Settings importPrices={ImportPrices} />
}
