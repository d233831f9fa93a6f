import { useActKey } from "@/api/act-key"
import { AddPeople } from "@/parts/add-people"
import type { Person } from "@/parts/person-rows"
import { toastError } from "@/parts/toast-error"
import { toast } from "@/ui/overlay/toast"
import { useAddClients } from "./queries"

/** Add New Client: a row a client, all added or none. */
export function NewClients({ onClose }: { onClose: () => void }) {
  const keyOf = useActKey()
  const add = useAddClients()
  const submit = async (clients: Person<"client">[]) => {
    try {
      const message = await add.mutateAsync({ clients, key: keyOf(clients) })
      toast.success(message || "Client created successfully")
      onClose()
    } catch (error) {
      toastError(error)
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
