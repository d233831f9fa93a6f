import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { SelectField } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { auditColumns } from "./audit-columns"
import { AuditEntry } from "./audit-entry"
import { auditChoicesQuery, auditFile, auditQuery, type AuditView, inWords } from "./queries"
import type { TrailEntry } from "./queries"
import { CheckResult, useTrailCheck, VerifyButton } from "./trail-check"

interface AuditProps {
  view: AuditView
  onView: (change: Partial<AuditView>) => void
}

const cleared = { query: "", from: "", to: "", who: "", action: "", kind: "" }
const worded = (names: string[]) => Object.fromEntries(names.map((name) => [name, inWords(name)]))

/** Who did what, when, to which record; and whether the trail is as it was written. */
export function AuditTrail({ view, onView }: AuditProps) {
  usePageTitle("Audit Trail")
  const isPhone = useIsPhone()
  const [opened, setOpened] = useState<TrailEntry | null>(null)
  const trail = useQuery({ ...auditQuery(view), placeholderData: keepPreviousData })
  const check = useTrailCheck()
  const turnBack = useCallback((page: number) => onView({ page }), [onView])
  useLastPage(trail, view.page, turnBack)
  const isFiltered = Object.keys(cleared).some((key) => view[key as keyof typeof cleared] !== "")
  const clear = (
    <Button kind="subtle" onClick={() => onView({ ...cleared, page: 1 })}>
      Clear filters
    </Button>
  )
  return (
    <Screen>
      <CheckResult data={check.data} />
      <Card flush>
        <Toolbar action={<VerifyButton {...check} />}>
          <SearchField
            label="Search by record, request or address"
            value={view.query}
            isSearching={trail.isPlaceholderData}
            width={isPhone ? "100%" : 270}
            onSearch={(query) => onView({ query, page: 1 })}
          />
          <Filters view={view} onView={onView} />
          {isFiltered && clear}
        </Toolbar>
        <Table
          label="Audit trail"
          name="audit"
          columns={auditColumns}
          download={(format) => auditFile(view, format)}
          rows={trail.data?.data}
          rowKey={(entry) => String(entry.seq)}
          rowName={(entry) => `row ${entry.seq}`}
          state={steadyState(trail)}
          onOpen={setOpened}
          around={250}
          skeletonRows={view.limit}
          empty={
            isFiltered
              ? { title: "No Data Available", hint: "No row fits these filters.", action: clear }
              : { title: "No Data Available", hint: "Whatever is changed here leaves a row." }
          }
        />
        <Pagination
          page={view.page}
          limit={view.limit}
          total={trail.data?.pagination.totalUsers ?? 0}
          sizes={[10, 20, 50, 100]}
          onPage={(page) => onView({ page })}
          onLimit={(limit) => onView({ limit, page: 1 })}
          label="Pages of the audit trail"
        />
      </Card>
      <AuditEntry entry={opened} onClose={() => setOpened(null)} />
    </Screen>
  )
}

function Filters({ view, onView }: AuditProps) {
  const choices = useQuery(auditChoicesQuery).data
  const people = Object.fromEntries(choices?.people.map(({ _id, name }) => [_id, name]) ?? [])
  return (
    <>
      <SelectField
        label="Who"
        hideLabel
        placeholder="Everybody"
        options={{ ...people, system: "Tarazu and visitors" }}
        value={view.who}
        onChange={({ target }) => onView({ who: target.value, page: 1 })}
      />
      <SelectField
        label="What"
        hideLabel
        placeholder="Every act"
        options={worded(choices?.actions ?? [])}
        value={view.action}
        onChange={({ target }) => onView({ action: target.value, page: 1 })}
      />
      <SelectField
        label="Kind of record"
        hideLabel
        placeholder="Every record"
        options={worded(choices?.kinds ?? [])}
        value={view.kind}
        onChange={({ target }) => onView({ kind: target.value, page: 1 })}
      />
      <DateRangeField
        label="Dates"
        value={view.from === "" ? null : { from: view.from, to: view.to }}
        today={today()}
        onRange={(next) => onView({ from: next?.from ?? "", to: next?.to ?? "", page: 1 })}
      />
    </>
  )
}
