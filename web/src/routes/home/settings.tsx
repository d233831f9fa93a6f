import { createFileRoute } from "@tanstack/react-router"
import { isSection, type Section } from "@/features/settings/sections"
import { Settings } from "@/features/settings/settings"

export const Route = createFileRoute("/home/settings")({
  validateSearch: (search): { section?: Section } => ({
    section: isSection(search.section) ? search.section : undefined,
  }),
  component: Settings,
})
