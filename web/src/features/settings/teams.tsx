import { Switch } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Pencil, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { api, answerOf } from "@/api/client"
import { count } from "@/lib/format"
import { type Team, type Teams, teamsQuery } from "@/parts/teams"
import { Button, IconButton } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { toastFailure } from "./queries"
import { TeamDialog } from "./team-dialog"
import styles from "./teams.module.css"

interface Answered {
  data: Teams
  message?: string | null
}

/** A change of teams; the lists of clients are asked for again. */
export function useTeamChange<Change>(act: (change: Change) => Promise<Answered>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onError: toastFailure,
    onSuccess: ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(teamsQuery.queryKey, data)
      return cache.invalidateQueries({ queryKey: ["clients"] })
    },
  })
}

/** Who sees which clients: the setting, and the teams with their members. */
export default function TeamSettings() {
  const query = useQuery(teamsQuery)
  const [edited, setEdited] = useState<Team | "new" | null>(null)
  const turn = useTeamChange(({ isOn, version }: Pick<Teams, "isOn" | "version">) =>
    answerOf(api.PUT("/settings/team-access", { body: { isOn, version } })),
  )
  const remove = useTeamChange(({ id, version }: Team) =>
    answerOf(
      api.DELETE("/admin/teams/{team_id}", {
        params: { path: { team_id: id }, query: { version } },
      }),
    ),
  )
  if (query.isError && !query.data)
    return <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />
  if (!query.data) return <Loading />
  const { isOn, version, teams, withoutTeam } = query.data
  const ask = async (team: Team) => {
    const isSure = await confirm({
      title: `Remove ${team.name}?`,
      text: "A team with clients cannot be removed: move them to another team first.",
      act: "Remove",
      isDanger: true,
    })
    if (isSure) remove.mutate(team)
  }
  return (
    <Screen>
      <Card
        title="Access by team"
        note="Administrators always see every client. A change counts from the next call on."
      >
        <Switch
          label="Users see only the clients of their own teams"
          description={
            withoutTeam === 0
              ? "Every client belongs to a team."
              : `${count(withoutTeam)} ${withoutTeam === 1 ? "client belongs" : "clients belong"} to no team. While this is on, only administrators see ${withoutTeam === 1 ? "it" : "them"}.`
          }
          checked={isOn}
          disabled={turn.isPending}
          onChange={() => turn.mutate({ isOn: !isOn, version })}
        />
      </Card>
      <Card
        title="Teams"
        note="Give clients a team in the client list, or in Edit Client."
        actions={
          <Button icon={<Plus size={15} aria-hidden="true" />} onClick={() => setEdited("new")}>
            Add team
          </Button>
        }
      >
        {teams.length === 0 ? (
          <EmptyState title="No teams" hint="Teams you add appear here." />
        ) : (
          <ul className={styles.teams} aria-label="Teams">
            {teams.map((team) => (
              <li key={team.id}>
                <div>
                  <strong>{team.name}</strong>
                  <span>{team.memberNames.join(", ") || "No members"}</span>
                </div>
                <span className={styles.clients}>
                  {count(team.clients)} {team.clients === 1 ? "client" : "clients"}
                </span>
                <IconButton
                  label={`Edit ${team.name}`}
                  icon={<Pencil size={15} aria-hidden="true" />}
                  aria-haspopup="dialog"
                  onClick={() => setEdited(team)}
                />
                <IconButton
                  label={`Remove ${team.name}`}
                  icon={<Trash2 size={15} aria-hidden="true" />}
                  onClick={() => void ask(team)}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {edited && (
        <TeamDialog team={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Screen>
  )
}
