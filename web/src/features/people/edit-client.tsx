import { useMutation } from "@tanstack/react-query"
import { Pencil } from "lucide-react"
import { useState } from "react"
import { toastError } from "@/parts/toast-error"
import { Button, IconButton } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import { EditPerson } from "./edit-person"
import { currentClient, type PersonRecord } from "./queries"

interface EditClientProps {
  clientId: string
  /** Undefined until it is known: the button has its place, and waits. */
  email: string | undefined
}

/** The button on a client's own page that opens the dialog of the client's record. */
export function EditClient({ clientId, email }: EditClientProps) {
  const isPhone = useIsPhone()
  const [record, setRecord] = useState<PersonRecord | null>(null)
  const open = useMutation({
    mutationFn: () => currentClient(clientId, email ?? ""),
    onSuccess: (client) => (client ? setRecord(client) : toast.error("Client not found")),
    onError: toastError,
  })
  const icon = <Pencil size={15} aria-hidden="true" />
  return (
    <>
      {isPhone ? (
        <IconButton
          framed
          label="Edit"
          icon={icon}
          aria-haspopup="dialog"
          disabled={email === undefined}
          onClick={() => open.mutate()}
        />
      ) : (
        <Button
          icon={icon}
          isBusy={open.isPending}
          aria-haspopup="dialog"
          disabled={email === undefined}
          onClick={() => open.mutate()}
        >
          Edit
        </Button>
      )}
      {record && <EditPerson kind="clients" record={record} onClose={() => setRecord(null)} />}
    </>
  )
}
