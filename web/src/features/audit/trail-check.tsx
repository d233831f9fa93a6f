import { useMutation } from "@tanstack/react-query"
import { ShieldCheck, ShieldX } from "lucide-react"
import { messageOf } from "@/api/client"
import { dateTime } from "@/lib/dates"
import { quantity } from "@/lib/format"
import { Button } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import styles from "./audit.module.css"
import { verifyTrail } from "./queries"

/** Has the server walk the whole trail, and says what it found. */
export function useTrailCheck() {
  return useMutation({
    mutationFn: verifyTrail,
    onError: (error) => toast.error(messageOf(error, "The audit trail could not be verified.")),
  })
}

type TrailCheckProps = Pick<ReturnType<typeof useTrailCheck>, "data" | "isPending" | "mutate">

export function VerifyButton({ isPending, mutate }: TrailCheckProps) {
  return (
    <Button
      kind="primary"
      isBusy={isPending}
      icon={<ShieldCheck size={16} aria-hidden="true" />}
      onClick={() => mutate()}
    >
      Verify
    </Button>
  )
}

/** What the last check found; nothing before the first. */
export function CheckResult({ data }: Pick<TrailCheckProps, "data">) {
  if (data === undefined) return <div role="status" />
  const Picture = data.holds ? ShieldCheck : ShieldX
  return (
    <div role="status" className={styles.result} data-holds={data.holds}>
      <Picture size={18} aria-hidden="true" />
      <p>
        <strong>{data.holds ? "Audit trail verified." : "Audit trail check failed."}</strong>{" "}
        {data.message} {quantity(data.checked)} rows checked, {dateTime(data.checkedAt)}.
        {data.headHash && (
          <span className={styles.head}>
            Row {data.headSeq}: {data.headHash}
          </span>
        )}
      </p>
    </div>
  )
}
