import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, messageFrom } from "@/api/client"
import { count } from "@/lib/format"
import { NO_TEAM, useTeamNames } from "@/parts/teams"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"

interface MoveToTeamProps {
  clients: string[]
  onClose: () => void
  onDone: () => void
}

/** Gives the chosen clients a team, or takes theirs away. */
export function MoveToTeam({ clients, onClose, onDone }: MoveToTeamProps) {
  const names = useTeamNames()
  const cache = useQueryClient()
  const [team, setTeam] = useState("")
  const [error, setError] = useState<string>()
  const move = useMutation({
    mutationFn: (teamId: string | null) =>
      messageFrom(api.PUT("/admin/teams/clients", { body: { clients, teamId } })),
    onError: toastError,
    onSuccess: (message) => {
      toast.success(message)
      onDone()
      onClose()
      return cache.invalidateQueries()
    },
  })
  const words = clients.length === 1 ? "1 client" : `${count(clients.length)} clients`
  return (
    <Modal title={`Move ${words} to a team`} isOpen onClose={onClose} width={420}>
      <DialogForm
        submitLabel="Move"
        isBusy={move.isPending}
        onSubmit={() => {
          if (team === "") setError("A team is required")
          else move.mutate(team === NO_TEAM ? null : team)
        }}
        onCancel={onClose}
      >
        <SelectField
          label="Team"
          placeholder="Choose a team"
          description="A client belongs to one team at most."
          options={{ ...names, [NO_TEAM]: "No team" }}
          value={team}
          error={error}
          onChange={(event) => {
            setTeam(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
