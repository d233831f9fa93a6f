import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { api, dataOf, messageFrom } from "@/api/client"
import { Button } from "@/ui/button"
import { Notice } from "@/ui/notice"
import { toast } from "@/ui/overlay/toast"
import { toastError } from "./toast-error"
import { useOpenClient } from "./use-open-client"

/** Makes the sample client, or brings it back, and opens it. */
export function LoadSampleClient() {
  const cache = useQueryClient()
  const openClient = useOpenClient()
  const load = useMutation({
    mutationFn: () => dataOf(api.POST("/admin/clients/sample")),
    onSuccess: (client) => {
      void cache.invalidateQueries()
      openClient(client)
    },
    onError: toastError,
  })
  return (
    <Button isBusy={load.isPending} onClick={() => load.mutate()}>
      Load a sample client
    </Button>
  )
}

/** Over every screen of the sample client: what it is, and the way to be rid of it. */
export function SampleClientNotice({ clientId }: { clientId: string }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => messageFrom(api.POST("/clients/delete", { body: { clientId } })),
    onSuccess: async () => {
      await navigate({ to: "/home/client/details" })
      void cache.invalidateQueries()
      toast.success("Sample client removed")
    },
    onError: toastError,
  })
  return (
    <Notice
      tone="info"
      actions={
        <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      }
    >
      This is a sample client, to try the screens with. It counts in no figure of the firm and gets
      no advice.
    </Notice>
  )
}
