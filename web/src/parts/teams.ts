import { queryOptions, useQuery } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { useSession } from "@/api/use-session"

export type Teams = components["schemas"]["TeamsShown"]
export type Team = Teams["teams"][number]

/** The word for the clients who belong to no team, as the server takes it. */
export const NO_TEAM = "NONE"

/** The teams, their members and how many clients each has; only for an ADMIN. */
export const teamsQuery = queryOptions({
  queryKey: ["teams"],
  queryFn: () => dataOf(api.GET("/admin/teams")),
})

/** The teams to choose from, by id; empty for others than an ADMIN, and while there are none. */
export function useTeamNames(): Record<string, string> {
  const isAdmin = useSession("role") === "ADMIN"
  const { data } = useQuery({ ...teamsQuery, enabled: isAdmin })
  return Object.fromEntries((data?.teams ?? []).map(({ id, name }) => [id, name]))
}
