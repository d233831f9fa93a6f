import { useSession } from "@/api/use-session"
import { Screen } from "@/ui/card"
import { ConsentsCard } from "./consents-card"
import { KycCard } from "./kyc-card"

/** A client's papers: KYC, and consents to the firm's texts. */
export function PapersTab() {
  const clientId = useSession("clientId") ?? ""
  return (
    <Screen>
      <KycCard clientId={clientId} />
      <ConsentsCard clientId={clientId} />
    </Screen>
  )
}
