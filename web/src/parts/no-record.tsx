import type { ReactNode } from "react"
import { ApiError } from "@/api/client"
import { Card } from "@/ui/card"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"

interface NoRecordProps {
  /** The query of the record, which has no data. */
  query: { error: unknown; isError: boolean; refetch: () => unknown }
  /** That there is no such record, and where to go instead; without it a 404 is a failure too. */
  hint?: string
  action?: ReactNode
}

/** What the page of a record shows without it: the loading text, the failure, or that it does not exist. */
export function NoRecord({ query: { error, isError, refetch }, hint, action }: NoRecordProps) {
  const isUnknown = hint !== undefined && error instanceof ApiError && error.status === 404
  return (
    <Card>
      {!isError && <Loading />}
      {isError && !isUnknown && <ErrorNote message="Failed to fetch data" onRetry={refetch} />}
      {isUnknown && <EmptyState title="No Data Available" hint={hint} action={action} />}
    </Card>
  )
}
