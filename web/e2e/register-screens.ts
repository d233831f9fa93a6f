import { fetching, firstRow, type Screen } from "./screen"

const registers = {
  complaints: "Complaints",
  certificates: "Certificates",
  "own-trading": "Own trading",
  advertisements: "Advertisements",
  "ai-tools": "AI use",
  handles: "Handles and sites",
  rules: "Rules",
  packs: "Inspection packs",
}

/** The registers of compliance; the demo has entries in each of these. */
export const registerScreens: Screen[] = Object.entries(registers).map(([path, name]) => ({
  name: `Register: ${name}`,
  address: `/home/compliance/${path}`,
  loading: fetching,
  says: "Failed to fetch data",
  filled: (page) => firstRow(page, name),
}))
