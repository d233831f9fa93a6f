import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api, messageFrom } from "@/api/client"
import { NO_TEAM, useTeamNames } from "@/parts/teams"
import { toastError } from "@/parts/toast-error"
import { SelectField } from "@/ui/form/fields"
import { toast } from "@/ui/overlay/toast"
import { useState } from "react"
import styles from "./people.module.css"

/** The team of a client, saved at once; nothing while the firm has no teams. */
export function TeamOfClient({ clientId, teamId }: { clientId: string; teamId: string | null }) {
  const names = useTeamNames()
  const cache = useQueryClient()
  const [team, setTeam] = useState(teamId ?? NO_TEAM)
  const move = useMutation({
    mutationFn: (next: string) =>
      messageFrom(
        api.PUT("/admin/teams/clients", {
          body: { clients: [clientId], teamId: next === NO_TEAM ? null : next },
        }),
      ),
    onError: toastError,
    onSuccess: (message, next) => {
      setTeam(next)
      toast.success(message)
      return cache.invalidateQueries()
    },
  })
  if (Object.keys(names).length === 0) return null
  return (
    <div className={styles.wide}>
      <SelectField
        label="Team"
        description="Saved at once."
        options={{ ...names, [NO_TEAM]: "No team" }}
        value={team}
        disabled={move.isPending}
        onChange={(event) => move.mutate(event.currentTarget.value)}
      />
    </div>
  )
}
