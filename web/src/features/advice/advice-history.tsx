import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { isAdmin } from "@/api/session"
import { useSession } from "@/api/use-session"
import { type Range, today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { Card, Screen, Toolbar } from "@/ui/card"
import { FilterMenu } from "@/ui/table/filter-menu"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { pageOf, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { useResend } from "@/parts/use-resend"
import { adviceHistoryColumns } from "./advice-history-columns"
import { AdviceRecord } from "./advice-record"
import {
  adviceHistoryFile,
  adviceHistoryQuery,
  firstOfEach,
  letterOf,
  PAGE,
  type SentAdvice,
  stocksOf,
} from "./advice-history-queries"

const noFilter = { from: "", to: "" }

interface AdviceHistoryView {
  page: number
  range: Range | null
}

interface AdviceHistoryProps extends AdviceHistoryView {
  onView: (next: AdviceHistoryView) => void
}

/** The advice sent to the client: one row per stock, newest first. */
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
    query: {
      ...adviceHistoryQuery(clientId, range),
      select: (sent: SentAdvice[]) => pageOf(stocksOf(sent), view),
    },
    noFilter,
  })
  const letter = useMutation({
    mutationFn: (advice: SentAdvice) => letterOf(advice, username),
    onSuccess: (file) => saveFile(file.letter, file.name),
    onError: (error) => toast.error(messageOf(error, "The letter could not be downloaded.")),
  })
  const [verifying, setVerifying] = useState<SentAdvice | null>(null)
  const resend = useResend(["clients", clientId, "advice"])
  const first = firstOfEach(list.table.rows ?? [])
  const columns = adviceHistoryColumns({
    first,
    onLetter: letter.mutate,
    onVerify: setVerifying,
    onResend: isAdmin() ? (advice) => resend.send(advice._id) : undefined,
    resending: resend.sending,
    busy: letter.isPending ? letter.variables._id : null,
    isPhone: useIsPhone(),
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
          rowKey={(stock) => stock.key}
          rowName={(stock) => stock.symbol}
          isGroupStart={(stock) => first.has(stock.key)}
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
