import { useQuery } from "@tanstack/react-query"
import { FilePlus, Plus, Undo2 } from "lucide-react"
import { useState } from "react"
import { date } from "@/lib/dates"
import { type ConsentKind, consentKinds } from "@/parts/consent-kinds"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { StatusPill } from "@/ui/status-pill"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { ConsentHistory } from "./consent-history"
import { type ConsentsToText, consentsQuery, useWithdrawConsent } from "./queries"
import { RecordConsent } from "./record-consent"
import { consentStates, howGiven } from "./words"

const nameOf = ({ kind }: ConsentsToText) => consentKinds[kind]

/** A client's consents to each text of the firm, and all that were ever given. */
export function ConsentsCard({ clientId }: { clientId: string }) {
  const [recorded, setRecorded] = useState<ConsentKind | null>(null)
  const consents = useQuery(consentsQuery(clientId))
  const withdraw = useWithdrawal(clientId)
  const withText = consents.data?.filter(({ versions }) => versions.length > 0) ?? []
  const menu = (row: ConsentsToText): MenuEntry[] => [
    {
      label: "Record consent",
      icon: <FilePlus size={15} />,
      disabled: row.versions.length === 0,
      onSelect: () => setRecorded(row.kind),
    },
    {
      label: "Withdraw",
      icon: <Undo2 size={15} />,
      isDanger: true,
      disabled: !row.isWithdrawable,
      onSelect: () => void withdraw(row),
    },
  ]
  const add = (
    <Button
      icon={<Plus size={15} aria-hidden="true" />}
      aria-haspopup="dialog"
      disabled={withText.length === 0}
      onClick={() => setRecorded(firstMissing(withText))}
    >
      Record consent
    </Button>
  )
  return (
    <>
      <Card
        flush
        title="Consents"
        note="Given on the client's page, or recorded here with the signed file."
        actions={add}
      >
        <Table
          label="Consents"
          columns={columns}
          rows={consents.data}
          rowKey={(row) => row.kind}
          rowName={nameOf}
          menu={menu}
          state={consents}
          skeletonRows={5}
          empty={{ title: "No Data Available" }}
        />
      </Card>
      {consents.data && <ConsentHistory clientId={clientId} consents={consents.data} />}
      {recorded !== null && (
        <RecordConsent
          clientId={clientId}
          kind={recorded}
          consents={withText}
          onClose={() => setRecorded(null)}
        />
      )}
    </>
  )
}

const firstMissing = (consents: ConsentsToText[]): ConsentKind | null =>
  (consents.find(({ state }) => state !== "GIVEN") ?? consents[0])?.kind ?? null

/** The version that the client agreed to, and the one in force where that is another. */
function versionOf({ given, inForce, state }: ConsentsToText) {
  const agreed = given[0]?.number
  if (agreed === undefined) return inForce ? `- (now ${inForce.number})` : "-"
  return state === "ASKED_AGAIN" && inForce ? `${agreed} (now ${inForce.number})` : `${agreed}`
}

const columns: Column<ConsentsToText>[] = [
  { title: "Consent", cell: (row) => <strong>{nameOf(row)}</strong>, card: "title" },
  { title: "Status", cell: (row) => <StatusPill {...consentStates[row.state]} />, card: "main" },
  { title: "Version", cell: versionOf, card: "rest" },
  { title: "Given on", cell: ({ given }) => date(given[0]?.givenOn), card: "aside" },
  { title: "How", cell: ({ given }) => (given[0] ? howGiven(given[0]) : "-"), card: "note" },
]

function useWithdrawal(clientId: string) {
  const withdrawal = useWithdrawConsent(clientId)
  return async (row: ConsentsToText) => {
    const consent = row.given[0]
    const isSure = await confirm({
      title: `Record that the client withdrew: ${nameOf(row)}?`,
      text: "The consent and its withdrawal stay in the record. The client can consent again.",
      act: "Withdraw",
      isDanger: true,
    })
    if (!isSure || !consent) return
    withdrawal.mutate(consent._id, {
      onSuccess: () => toast.success("Withdrawal recorded"),
      onError: toastError,
    })
  }
}
