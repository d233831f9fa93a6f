import { useQuery } from "@tanstack/react-query"
import { useSession } from "@/api/use-session"
import { dateTime } from "@/lib/dates"
import { missing } from "@/lib/format"
import { Facts } from "@/ui/facts"
import { GoTo } from "@/ui/go-to"
import { Money } from "@/ui/money"
import { Notice } from "@/ui/notice"
import { DetailsDrawer } from "@/ui/overlay/details-drawer"
import { ErrorNote, Loading } from "@/ui/states"
import { ChecksNow } from "./checks-now"
import { DecideForm } from "./decide-form"
import { OrdersToApprove } from "./orders-to-approve"
import { type Approval, approvalQuery, type ApprovalShown } from "./queries"
import { actionWords, stateWords } from "./words"

interface ApprovalDrawerProps {
  id: string
  /** The rows of the list, to step through. */
  rows: Approval[]
  onApproval: (id: string) => void
}

/** One request: what was asked for, by whom and why, and the decision. */
export function ApprovalDrawer({ id, rows, onApproval }: ApprovalDrawerProps) {
  const query = useQuery(approvalQuery(id))
  const shown = query.data
  const title = (shown ?? rows.find(({ _id }) => _id === id))?.about ?? "Approval"
  return (
    <DetailsDrawer
      label={title}
      title={title}
      width={640}
      noun="request"
      rows={rows}
      isShown={({ _id }) => _id === id}
      onStep={({ _id }) => onApproval(_id)}
      onClose={() => onApproval("")}
    >
      {query.isPending && <Loading />}
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      {shown && <Shown key={id} shown={shown} />}
    </DetailsDrawer>
  )
}

function Shown({ shown }: { shown: ApprovalShown }) {
  const isAdmin = useSession("role") === "ADMIN"
  const isWaiting = shown.state === "WAITING"
  return (
    <>
      <Facts
        facts={[
          ["Kind", actionWords[shown.action]],
          ["State", stateWords[shown.state]],
          ["Asked by", shown.askedBy],
          ["Asked", dateTime(shown.askedAt)],
          ["Note", shown.note],
          isWaiting
            ? ["Waits until", dateTime(shown.expiresAt)]
            : ["Decided", `${shown.decidedBy || missing} ${dateTime(shown.decidedAt)}`],
          ...(shown.answer === "" ? [] : [["Answer", shown.answer] as [string, string]]),
          ...shown.facts.map(({ label, text }): [string, string] => [label, text]),
        ]}
      />
      {shown.to !== "" && <GoTo to={shown.to}>See the run</GoTo>}
      {shown.orders.length > 0 && (
        <>
          <Facts
            facts={[
              ["To buy", <Money key="buy" value={shown.buyValue} />],
              ["To sell", <Money key="sell" value={shown.sellValue} />],
            ]}
          />
          <OrdersToApprove orders={shown.orders} />
        </>
      )}
      {shown.fault !== "" && <Notice role="alert">It cannot be done now. {shown.fault}</Notice>}
      <ChecksNow checks={shown.checks} />
      {isWaiting && (isAdmin || shown.isOwn) && <DecideForm shown={shown} />}
    </>
  )
}
