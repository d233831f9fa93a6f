import { useMutation, useQueryClient } from "@tanstack/react-query"
import { clientsLikeQuery } from "@/api/shared-queries"
import { toastCentreError } from "@/parts/toast-error"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import { toastCentre } from "@/ui/overlay/toast"
import styles from "./advice.module.css"

interface NoHoldingsProps {
  code: string
  onRetry: () => void
}

/** The ways on where a code has no holdings: the client's portfolio, or another try. */
export function NoHoldings({ code, onRetry }: NoHoldingsProps) {
  const cache = useQueryClient()
  const openClient = useOpenClient()
  const open = useMutation({
    mutationFn: () => cache.query({ ...clientsLikeQuery(code), staleTime: 0 }),
    onSuccess: (clients) => {
      const client = clients.find((each) => each.clientId === code)
      if (client) openClient(client)
      else toastCentre.info(`No client has the code ${code}.`)
    },
    onError: toastCentreError,
  })
  return (
    <div className={styles.waysOn}>
      <Button isBusy={open.isPending} onClick={() => open.mutate()}>
        Open the portfolio
      </Button>
      <Button kind="subtle" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
