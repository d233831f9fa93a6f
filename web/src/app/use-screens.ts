import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { signedInQuery } from "@/api/shared-queries"
import { screens } from "./screens"
import { useRole } from "./use-role"

/** The screens that the person may open. It only decides what is shown; the server checks every call. */
export function useScreens() {
  const isAdmin = useRole() === "ADMIN"
  const { data: person } = useQuery(signedInQuery)
  const seesAll = !person?.teams
  return useMemo(
    () =>
      screens.filter(
        (screen) => (isAdmin || !screen.adminOnly) && (seesAll || !screen.ofAllClients),
      ),
    [isAdmin, seesAll],
  )
}
