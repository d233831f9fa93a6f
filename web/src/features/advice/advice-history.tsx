import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { messageOf } from "@/api/client"
import { isAdmin } from "@/api/session"
import { useSession } from "@/api/use-session"
import { type Range, today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { FilterMenu } from "@/ui/table/filter-menu"
import { Pagination } from "@/ui/table/pagination"
import { steadyState, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { pagedBy, useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { adviceHistoryColumns } from "./advice-history-columns"
import { AdviceRecord } from "./advice-record"
import { useResend } from "./use-resend"
import {
  adviceHistoryFile,
  adviceHistoryQuery,
  firstOfEach,
  letterOf,
  PAGE,
  type SentAdvice,
  stocksOf,
} from "./advice-history-queries"

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
  const history = useQuery({
    ...adviceHistoryQuery(clientId, range),
    placeholderData: keepPreviousData,
  })
  const stocks = history.data && stocksOf(history.data)
  const total = stocks?.length ?? 0
  const goToPage = useCallback((next: number) => onView({ page: next, range }), [onView, range])
  const paged = pagedBy(
    { data: stocks, isPlaceholderData: history.isPlaceholderData, isFetching: history.isFetching },
    PAGE,
  )
  const shown = Math.min(page, useLastPage(paged, page, goToPage))
  const rows = stocks?.slice((shown - 1) * PAGE, shown * PAGE)
  const letter = useMutation({
    mutationFn: (advice: SentAdvice) => letterOf(advice, username),
    onSuccess: (file) => saveFile(file.letter, file.name),
    onError: (error) => toast.error(messageOf(error, "The letter could not be downloaded.")),
  })
  const [verifying, setVerifying] = useState<SentAdvice | null>(null)
  const resend = useResend(clientId)
  const filter = (next: Range | null) => onView({ page: 1, range: next })
  const first = firstOfEach(rows ?? [])
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
          <FilterMenu range={range} onRange={filter} today={today()} />
        </Toolbar>
        <Table
          label="Advice history"
          name="advice-history"
          columns={columns}
          download={(format) => adviceHistoryFile(clientId, range, format)}
          rows={rows}
          rowKey={(stock) => stock.key}
          rowName={(stock) => stock.symbol}
          state={steadyState(history)}
          isGroupStart={(stock) => first.has(stock.key)}
          empty={
            range
              ? {
                  title: "No Data Available",
                  hint: "No advice was sent on these dates.",
                  action: <Button onClick={() => filter(null)}>Clear filter</Button>,
                }
              : {
                  title: "No Data Available",
                  hint: "Advice sent to this client appears here.",
                }
          }
        />
        {total > 0 && (
          <Pagination
            page={shown}
            limit={PAGE}
            total={total}
            onPage={goToPage}
            label="Pages of the advice history"
          />
        )}
      </Card>
      <AdviceRecord advice={verifying} onClose={() => setVerifying(null)} />
    </Screen>
  )
}
