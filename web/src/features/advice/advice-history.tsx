import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { isAdmin } from "@/api/session"
import { useSession } from "@/api/use-session"
import { date, type Range, today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { Card, Screen, Toolbar } from "@/ui/card"
import { FilterMenu } from "@/ui/table/filter-menu"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { useListScreen } from "@/ui/table/use-list-screen"
import { clientFollowUpQuery, type FollowUpRow } from "@/parts/follow-up"
import { AdviceLinkButton } from "@/parts/advice-link-button"
import { AdviceLineFills } from "@/parts/line-fills"
import { useFreshFollowUp } from "@/parts/use-fresh-follow-up"
import { useResend } from "@/parts/use-resend"
import { adviceHistoryColumns } from "./advice-history-columns"
import { advisedStockColumns } from "./advised-stock-columns"
import { AdviceRecord } from "./advice-record"
import {
  adviceHistoryFile,
  adviceHistoryQuery,
  letterOf,
  PAGE,
  type SentAdvice,
} from "./advice-history-queries"
import styles from "./advice-history.module.css"

const noFilter = { from: "", to: "" }

interface AdviceHistoryView {
  page: number
  range: Range | null
}

interface AdviceHistoryProps extends AdviceHistoryView {
  onView: (next: AdviceHistoryView) => void
}

/** The advice sent to the client, newest first; each opens to its stocks. */
export function AdviceHistory({ page, range, onView }: AdviceHistoryProps) {
  const clientId = useSession("clientId") ?? ""
  const username = useSession("username")
  const view = { page, limit: PAGE, from: range?.from ?? "", to: range?.to ?? "" }
  const list = useListScreen({
    view,
    onView: (change) => {
      const { from, to, ...next } = { ...view, ...change }
      onView({ page: next.page, range: from === "" ? null : { from, to } })
    },
    query: adviceHistoryQuery(clientId, range, page),
    noFilter,
  })
  const letter = useMutation({
    mutationFn: (advice: SentAdvice) => letterOf(advice, username),
    onSuccess: (file) => saveFile(file.letter, file.name),
    onError: (error) => toast.error(messageOf(error, "The letter could not be downloaded.")),
  })
  const [verifying, setVerifying] = useState<SentAdvice | null>(null)
  const resend = useResend(["clients", clientId, "advice"])
  const navigate = useNavigate()
  useFreshFollowUp()
  // Apart from the history: advice is listed also where nothing is known of what became of it.
  const followUp = useQuery(clientFollowUpQuery(clientId))
  const useAgain = ({ _id }: SentAdvice) =>
    void navigate({ to: "/home/advice", state: { username: username ?? "", adviceId: _id } })
  const columns = adviceHistoryColumns({
    followUpOf: ({ _id }) => followUp.data?.get(_id),
    onLetter: letter.mutate,
    onVerify: setVerifying,
    onResend: isAdmin() ? (advice) => resend.send(advice._id) : undefined,
    onUseAgain: isAdmin() && username !== null ? useAgain : undefined,
    resending: resend.sending,
    busy: letter.isPending ? letter.variables._id : null,
  })
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <FilterMenu {...list.dates} today={today()} />
        </Toolbar>
        <Table
          {...list.table}
          label="Advice history"
          name="advice-history"
          columns={columns}
          download={(format) => adviceHistoryFile(clientId, range, format)}
          rowKey={(advice) => advice._id}
          rowName={(advice) => `the advice of ${date(advice.createdAt)}`}
          details={(advice) => <Stocks advice={advice} followUp={followUp.data?.get(advice._id)} />}
          empty={list.empty({
            hint: "Advice sent to this client appears here.",
            noMatch: "No advice was sent on these dates.",
            clearLabel: "Clear filter",
          })}
        />
        {list.pages.total > 0 && <Pagination {...list.pages} label="Pages of the advice history" />}
      </Card>
      <AdviceRecord advice={verifying} onClose={() => setVerifying(null)} />
    </Screen>
  )
}

interface StocksProps {
  advice: SentAdvice
  followUp: FollowUpRow | undefined
}

/** The stocks of an advice in the order of the letter, what became of each, and the rationale. */
function Stocks({ advice, followUp }: StocksProps) {
  return (
    <>
      <Table
        label={`Orders of ${date(advice.createdAt)}`}
        columns={advisedStockColumns(followUp)}
        rows={advice.stocks}
        rowKey={(stock) => `${stock.exchange}:${stock.symbol}`}
        rowName={(stock) => stock.symbol}
        details={
          followUp &&
          ((stock) => (
            <AdviceLineFills
              adviceId={advice._id}
              isin={stock.isin}
              side={stock.type}
              symbol={stock.symbol}
            />
          ))
        }
        empty={{ title: "No Data Available" }}
        isDense
      />
      {advice.rationale !== "" && <p className={styles.rationale}>{advice.rationale}</p>}
      {followUp && isAdmin() && (
        <div className={styles.link}>
          <AdviceLinkButton row={followUp} />
        </div>
      )}
    </>
  )
}
