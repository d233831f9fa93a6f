import { useQuery } from "@tanstack/react-query"
import { Pencil } from "lucide-react"
import { useState } from "react"
import { date, today } from "@/lib/dates"
import { Card, Screen } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { EntryForm, type FormSpec } from "./entry-form"
import type { FieldSpec } from "./fields"
import { type Rule, rulesFile, rulesQuery, useEnterRule } from "./queries"
import styles from "./registers.module.css"

const names: Record<Rule["name"], string> = {
  COMPLAINT_DAYS: "Complaints: days to resolve",
  COMPLAINT_WARNING_DAYS: "Complaints: days due soon",
  COMPLAINT_TABLE_DAY: "Complaints: day of the table",
  COMPLAINT_CHANNELS: "Complaints: channels",
  CERTIFICATE_SERIES: "Certificates: series",
  CERTIFICATE_WARNING_DAYS: "Certificates: warning days",
  TRADING_DAYS_BEFORE: "Own trading: days before",
  TRADING_DAYS_AFTER: "Own trading: days after",
  ADVERTISEMENT_WORDS: "Advertisements: words",
  ADVERTISEMENT_APPROVAL: "Advertisements: approval",
  INCIDENT_HOURS: "Incidents: hours to report",
}

const columns: Column<Rule>[] = [
  { title: "Rule", cell: (row) => <strong>{names[row.name]}</strong>, card: "title" },
  {
    title: "Content",
    cell: (row) => <span className={styles.wrap}>{row.content.join(", ")}</span>,
    card: "rest",
  },
  { title: "From", cell: (row) => date(row.effectiveOn), card: "note" },
  {
    title: "Status",
    cell: (row) =>
      row.isInForce ? (
        <StatusPill word="In force" tone="gain" />
      ) : (
        <StatusPill word={row.effectiveOn > today() ? "Later" : "Before"} tone="neutral" />
      ),
    card: "main",
  },
  {
    title: "Source",
    cell: (row) => <span className={styles.wrap}>{row.source}</span>,
    card: "rest",
  },
]

const fieldsOf = ({ form }: Rule): FieldSpec[] => [
  form === "YES_NO"
    ? {
        name: "content",
        label: "Required",
        kind: "choice",
        options: { yes: "Yes", no: "No" },
      }
    : {
        name: "content",
        label: form === "NUMBER" ? "Number" : "Content",
        kind: form === "NUMBER" ? "line" : "text",
        hint: form === "NUMBER" ? undefined : "One a line.",
      },
  { name: "effectiveOn", label: "In force from", kind: "day" },
  { name: "source", label: "Source", kind: "line", hint: "The circular with its date." },
]

/** The dated rules behind the registers, each with its source. */
export function RegisterRules() {
  usePageTitle("Rules of the registers")
  const rules = useQuery(rulesQuery)
  const enter = useEnterRule()
  const [form, setForm] = useState<FormSpec | null>(null)
  const formOf = (row: Rule): FormSpec => ({
    title: names[row.name],
    fields: fieldsOf(row),
    initial: { content: row.content.join("\n"), effectiveOn: today(), source: "" },
    save: (draft, keyOf) => {
      const lines = (draft.content ?? "").split("\n").map((line) => line.trim())
      const body = {
        name: row.name,
        effectiveOn: draft.effectiveOn ?? "",
        content: lines.filter((line) => line !== ""),
        source: draft.source ?? "",
      }
      return enter.mutateAsync({ body, key: keyOf(body) })
    },
    done: "Rule saved",
  })
  return (
    <Screen>
      <Card flush title="Rules" note="In force from their day on">
        <Table
          label="Rules"
          name="register-rules"
          columns={columns}
          rows={rules.data}
          state={rules}
          download={rulesFile}
          rowKey={(row) => `${row.name} ${row.effectiveOn} ${row.isShipped}`}
          rowName={(row) => names[row.name]}
          menu={(row) => [
            {
              label: "Enter a new one",
              icon: <Pencil size={15} />,
              onSelect: () => setForm(formOf(row)),
            },
          ]}
          empty={{ title: "No Data Available" }}
        />
      </Card>
      {form && <EntryForm {...form} onClose={() => setForm(null)} />}
    </Screen>
  )
}
