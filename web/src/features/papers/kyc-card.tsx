import { useQuery } from "@tanstack/react-query"
import { Pencil } from "lucide-react"
import { useState } from "react"
import { date } from "@/lib/dates"
import { clientKinds } from "@/parts/client-kinds"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { ErrorNote } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { KycForm } from "./kyc-form"
import { kycQuery } from "./queries"
import { kycStatuses, kycTones } from "./words"

/** What is known of a client's KYC, with the kind of client and the family from the record. */
export function KycCard({ clientId }: { clientId: string }) {
  const [isEdited, setIsEdited] = useState(false)
  const { data: kyc, isPending, isError, refetch } = useQuery(kycQuery(clientId))
  const edit = (
    <Button
      icon={<Pencil size={15} aria-hidden="true" />}
      aria-haspopup="dialog"
      disabled={kyc === undefined}
      onClick={() => setIsEdited(true)}
    >
      Edit KYC
    </Button>
  )
  return (
    <Card title="KYC" actions={edit}>
      {isError && !kyc ? (
        <ErrorNote message="Failed to fetch data" onRetry={refetch} />
      ) : (
        <Facts
          isLoading={isPending}
          facts={[
            ["PAN", kyc?.pan],
            [
              "KRA status",
              kyc && <StatusPill word={kycStatuses[kyc.status]} tone={kycTones[kyc.status]} />,
            ],
            ["Since", kyc && date(kyc.statusOn)],
            ["Kind of client", kyc && clientKinds[kyc.kind]],
            ["Family", kyc?.family],
            ["Note", kyc?.note],
          ]}
        />
      )}
      {isEdited && kyc && (
        <KycForm clientId={clientId} kyc={kyc} onClose={() => setIsEdited(false)} />
      )}
    </Card>
  )
}
