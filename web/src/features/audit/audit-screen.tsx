import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { SelectField } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { auditColumns } from "./audit-columns"
import { AuditEntry } from "./audit-entry"
import {
  auditChoicesQuery,
  auditFile,
  auditQuery,
  type AuditView,
  inWords,
  noFilter,
  type TrailEntry,
} from "./queries"
import { CheckResult, useTrailCheck, VerifyButton } from "./trail-check"

const labelled = (names: string[]) => Object.fromEntries(names.map((name) => [name, inWords(name)]))

/** Who did what, when, to which record; and whether the trail is as it was written. */
export function AuditTrail({ view, onView }: ListProps<AuditView>) {
  usePageTitle("Audit Trail")
  const isPhone = useIsPhone()
  const [opened, setOpened] = useState<TrailEntry | null>(null)
  const list = useListScreen({ view, onView, query: auditQuery(view), noFilter })
  const check = useTrailCheck()
  return (
    <Screen>
      <CheckResult data={check.data} />
      <Card flush>
        <Toolbar action={<VerifyButton {...check} />}>
          <SearchField
            {...list.search}
            label="Search by record, request or address"
            width={isPhone ? "100%" : 270}
          />
          <Filters view={view} onFilter={list.filter} />
          <DateRangeField
            label="Dates"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
          {list.isFiltered && (
            <Button kind="subtle" onClick={list.clear}>
              Clear filters
            </Button>
          )}
        </Toolbar>
        <Table
          {...list.table}
          label="Audit trail"
          name="audit"
          columns={auditColumns}
          download={(format) => auditFile(view, format)}
          rowKey={(entry) => String(entry.seq)}
          rowName={(entry) => `row ${entry.seq}`}
          onOpen={setOpened}
          around={250}
          skeletonRows={view.limit}
          empty={list.empty({
            hint: "Every change is recorded here.",
            noMatch: "No entries match.",
          })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} label="Pages of the audit trail" />
      </Card>
      <AuditEntry entry={opened} onClose={() => setOpened(null)} />
    </Screen>
  )
}

interface FiltersProps {
  view: AuditView
  onFilter: (change: Partial<AuditView>) => void
}

function Filters({ view, onFilter }: FiltersProps) {
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
        onChange={({ target }) => onFilter({ who: target.value })}
      />
      <SelectField
        label="What"
        hideLabel
        placeholder="Every action"
        options={labelled(choices?.actions ?? [])}
        value={view.action}
        onChange={({ target }) => onFilter({ action: target.value })}
      />
      <SelectField
        label="Kind of record"
        hideLabel
        placeholder="Every record"
        options={labelled(choices?.kinds ?? [])}
        value={view.kind}
        onChange={({ target }) => onFilter({ kind: target.value })}
      />
    </>
  )
}
