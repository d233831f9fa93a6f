import { Checkbox } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { answerOf, api } from "@/api/client"
import type { Team } from "@/parts/teams"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { useTeamChange } from "./teams"
import styles from "./teams.module.css"

/** Staff to choose from; a firm has fewer. */
const MOST_STAFF = 100

const staffQuery = {
  queryKey: ["users", "to-choose"],
  queryFn: () =>
    answerOf(api.GET("/users", { params: { query: { limit: MOST_STAFF, sort: "name" } } })),
}

interface TeamDialogProps {
  /** Null for a new one. */
  team: Team | null
  onClose: () => void
}

/** The name of a team, and who of the staff belongs to it. */
export function TeamDialog({ team, onClose }: TeamDialogProps) {
  const staff = useQuery(staffQuery)
  const [name, setName] = useState(team?.name ?? "")
  const [members, setMembers] = useState(team?.members ?? [])
  const [error, setError] = useState<string>()
  const save = useTeamChange((body: { name: string; members: string[] }) =>
    team
      ? answerOf(
          api.PUT("/admin/teams/{team_id}", {
            params: { path: { team_id: team.id } },
            body: { ...body, version: team.version },
          }),
        )
      : answerOf(api.POST("/admin/teams", { body })),
  )
  const submit = () => {
    if (name.trim() === "") setError("A name is required")
    else save.mutate({ name: name.trim(), members }, { onSuccess: onClose })
  }
  return (
    <Modal title={team ? `Edit ${team.name}` : "Add team"} isOpen onClose={onClose} width={420}>
      <DialogForm submitLabel="Save" isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
        <Field
          label="Name"
          maxLength={100}
          data-autofocus
          value={name}
          error={error}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <Checkbox.Group
          label="Members"
          description="Administrators see every client anyway."
          value={members}
          onChange={setMembers}
        >
          <div className={styles.members}>
            {staff.isPending && <Loading />}
            {staff.isError && <ErrorNote message="Failed to fetch data" onRetry={staff.refetch} />}
            {staff.data?.data.map((person) => (
              <Checkbox
                key={person._id}
                label={person.name}
                description={person.role === "ADMIN" ? "Administrator" : undefined}
                value={person._id}
              />
            ))}
          </div>
        </Checkbox.Group>
      </DialogForm>
    </Modal>
  )
}
