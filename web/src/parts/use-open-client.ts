import { useNavigate } from "@tanstack/react-router"
import { useCallback } from "react"
import { chooseClient } from "@/api/session"

type ClientScreen =
  "/home/client/portfolio" | "/home/client/profile" | "/home/client/advice-history"

/** Chooses the client of a row and opens a screen of that client. */
export function useOpenClient() {
  const navigate = useNavigate()
  return useCallback(
    (row: { _id: string; clientId: string }, to: ClientScreen = "/home/client/portfolio") => {
      chooseClient(row._id, row.clientId)
      void navigate({ to })
    },
    [navigate],
  )
}
