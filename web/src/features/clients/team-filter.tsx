import { NO_TEAM, useTeamNames } from "@/parts/teams"
import { SelectField } from "@/ui/form/fields"

/** The team whose clients are listed; nothing while the firm has no teams. */
export function TeamFilter({ team, onTeam }: { team: string; onTeam: (team: string) => void }) {
  const names = useTeamNames()
  if (Object.keys(names).length === 0) return null
  return (
    <SelectField
      hideLabel
      label="Team"
      placeholder="All teams"
      options={{ ...names, [NO_TEAM]: "No team" }}
      value={team}
      onChange={(event) => onTeam(event.currentTarget.value)}
    />
  )
}
