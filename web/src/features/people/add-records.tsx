import { useState } from "react"
import { useActKey } from "@/api/act-key"
import { messageOf } from "@/api/client"
import { AddPeople } from "@/parts/add-people"
import type { Person } from "@/parts/person-rows"
import { toast } from "@/ui/overlay/toast"
import { type Kind, type StaffRole, useAddClients, useAddUsers } from "./queries"
import { TemporaryPasswords, type NewPassword } from "./temporary-passwords"
import { isRefusal } from "./use-record-acts"

interface DialogProps {
  onClose: () => void
}

const tell = (error: unknown) =>
  toast.error(isRefusal(error) ? messageOf(error, "Something went wrong") : "API call failed")

/** Adds clients, or users with their temporary passwords. */
export function AddRecords({ kind, onClose }: DialogProps & { kind: Kind }) {
  return kind === "users" ? <AddUsers onClose={onClose} /> : <AddClients onClose={onClose} />
}

function AddClients({ onClose }: DialogProps) {
  const keyOf = useActKey()
  const add = useAddClients()
  const submit = async (people: Person<"client">[]) => {
    try {
      const answer = await add.mutateAsync({ people, key: keyOf(people) })
      toast.success(answer.message ?? "Client created successfully")
      onClose()
    } catch (error) {
      tell(error)
      throw error
    }
  }
  return (
    <AddPeople
      title="Add New Client"
      kind="Client"
      roles={["client"]}
      onClose={onClose}
      onSubmit={submit}
    />
  )
}

function AddUsers({ onClose }: DialogProps) {
  const keyOf = useActKey()
  const add = useAddUsers()
  const [passwords, setPasswords] = useState<NewPassword[]>([])
  const submit = async (people: Person<StaffRole>[]) => {
    try {
      const answer = await add.mutateAsync({ people, key: keyOf(people) })
      toast.success(answer.message ?? "User created successfully")
      const passwords = answer.data.flatMap(({ name, email, temporaryPassword }) =>
        temporaryPassword ? [{ name, email, password: temporaryPassword }] : [],
      )
      if (passwords.length > 0) setPasswords(passwords)
      else onClose()
    } catch (error) {
      tell(error)
      throw error
    }
  }
  if (passwords.length > 0) return <TemporaryPasswords passwords={passwords} onClose={onClose} />
  return (
    <AddPeople
      title="Add New User"
      kind="User"
      roles={["USER", "ADMIN"]}
      onClose={onClose}
      onSubmit={submit}
    />
  )
}
