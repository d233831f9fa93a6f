import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { type Range, today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/date-range-field"
import { Pagination } from "@/ui/pagination"
import { steadyState, Table } from "@/ui/table"
import { toast } from "@/ui/toast"
import { useIsPhone } from "@/ui/use-media"
import { usePages } from "@/ui/use-pages"
import { useState } from "react"
import { adviceHistoryColumns } from "./advice-history-columns"
import {
  adviceHistoryQuery,
  firstOfEach,
  letterOf,
  type SentAdvice,
  stocksOf,
} from "./advice-history-queries"

const PAGE = 20

/** What was advised to the client, a row a stock, newest first. */
export function AdviceHistory() {
  const clientId = useSession("clientId") ?? ""
  const username = useSession("username")
  const [range, setRange] = useState<Range | null>(null)
  const history = useQuery({
    ...adviceHistoryQuery(clientId, range),
    placeholderData: keepPreviousData,
  })
  const { rows, pagination } = usePages(history.data && stocksOf(history.data), PAGE)
  const letter = useMutation({
    mutationFn: (advice: SentAdvice) => letterOf(advice, username),
    onSuccess: (file) => saveFile(file.letter, file.name),
    onError: (error) => toast.error(messageOf(error, "The letter could not be downloaded.")),
  })
  const filter = (next: Range | null) => {
    setRange(next)
    pagination.onPage(1)
  }
  const first = firstOfEach(rows ?? [])
  const columns = adviceHistoryColumns({
    first,
    onLetter: letter.mutate,
    busy: letter.isPending ? letter.variables._id : null,
    isPhone: useIsPhone(),
  })
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <DateRangeField label="Date" value={range} onRange={filter} today={today()} />
          {range && (
            <Button kind="subtle" onClick={() => filter(null)}>
              Clear filter
            </Button>
          )}
        </Toolbar>
        <Table
          label="Advice history"
          columns={columns}
          rows={rows}
          rowKey={(stock) => stock.key}
          rowName={(stock) => stock.symbol}
          state={steadyState(history)}
          isGroupStart={(stock) => first.has(stock.key)}
          maxHeight={450}
          empty={
            range
              ? {
                  title: "No Data Available",
                  hint: "No advice was sent in these days.",
                  action: <Button onClick={() => filter(null)}>Clear filter</Button>,
                }
              : {
                  title: "No Data Available",
                  hint: "Advice that is sent to this client stands here.",
                }
          }
        />
        {pagination.total > 0 && (
          <Pagination
            page={pagination.page}
            limit={pagination.limit}
            total={pagination.total}
            onPage={pagination.onPage}
            label="Pages of the advice history"
          />
        )}
      </Card>
    </Screen>
  )
}
