import type { components } from "@/api/schema"
import { CountFilter } from "@/ui/table/count-filter"
import { filtersOf } from "./problem-words"
import type { ReadinessView } from "./queries"

interface ProblemFilterProps {
  counts: components["schemas"]["ReadinessCounts"] | undefined
  shown: ReadinessView["show"]
  onShow: (show: ReadinessView["show"]) => void
}

/** The problems with their number of clients; a click filters the list. */
export function ProblemFilter({ counts, shown, onShow }: ProblemFilterProps) {
  return (
    <CountFilter
      label="Show clients"
      choices={filtersOf(counts).map(({ show, label, count }) => ({
        choice: show,
        label,
        count,
        tone: show === "READY" ? "gain" : show === "" ? undefined : "warn",
      }))}
      shown={shown}
      onShow={onShow}
    />
  )
}
