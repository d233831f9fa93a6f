import { useQuery } from "@tanstack/react-query"
import { Pencil, Plus } from "lucide-react"
import { useState } from "react"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { percent, rupees } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { Card } from "@/ui/card"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { FeeScheduleForm } from "./fee-schedule-form"
import { feeScheduleFile, feeScheduleQuery, type FeeScheduleVersion } from "./fee-schedule-queries"
import styles from "./fee-schedule.module.css"

/** The terms in words: `8.00% of any gain; 10.00% from a gain of 10.00%`. */
export function feeInWords({ kind, slabs, fixedAmount }: FeeScheduleVersion): string {
  if (kind === "FIXED") return `${rupees(fixedAmount)} per period`
  return slabs
    .map(({ from, percentage }) =>
      from === 0
        ? `${percent(percentage)} of any gain`
        : `${percent(percentage)} from a gain of ${percent(from)}`,
    )
    .join("; ")
}

/** The fee schedule by effective date; only for an ADMIN. */
export function FeeScheduleCard() {
  const isAdmin = useSession("role") === "ADMIN"
  return isAdmin ? <FeeSchedules /> : null
}

function FeeSchedules() {
  const schedules = useQuery(feeScheduleQuery)
  const [form, setForm] = useState<{ terms: FeeScheduleVersion; isChange: boolean } | null>(null)
  const inForce = schedules.data?.inForce
  return (
    <Card
      flush
      title="Fee schedule"
      note="Each fee uses the schedule in force when its period began."
      actions={
        <Button
          icon={<Plus size={15} aria-hidden="true" />}
          disabled={inForce === undefined}
          onClick={() => inForce && setForm({ terms: inForce, isChange: false })}
        >
          Add version
        </Button>
      }
    >
      <Table
        label="Fee schedule"
        name="fee-schedule"
        download={feeScheduleFile}
        columns={columns((terms) => setForm({ terms, isChange: true }))}
        rows={schedules.data?.versions}
        rowKey={(version) => version._id}
        rowName={(version) => `version of ${date(version.effectiveOn)}`}
        state={schedules}
        skeletonRows={2}
        empty={{ title: "No Data Available" }}
      />
      {form && <FeeScheduleForm {...form} onClose={() => setForm(null)} />}
    </Card>
  )
}

const columns = (onChange: (version: FeeScheduleVersion) => void): Column<FeeScheduleVersion>[] => [
  {
    title: "Effective from",
    cell: (version) => (
      <span className={styles.day}>
        {date(version.effectiveOn)}
        {version.isInForce && <StatusPill word="In force" tone="gain" />}
      </span>
    ),
    card: "title",
  },
  {
    title: "Fee",
    cell: (version) => <span className={styles.wide}>{feeInWords(version)}</span>,
    card: "rest",
  },
  {
    title: "High-water mark",
    cell: (version) => (version.isAboveHighWaterMark ? "Above it" : "Not used"),
    card: "rest",
  },
  {
    title: "Yearly limit",
    cell: (version) => (version.yearlyLimit === null ? "None" : rupees(version.yearlyLimit)),
    align: "right",
    card: "main",
  },
  {
    title: "Source",
    cell: (version) => <span className={styles.wide}>{version.source || "-"}</span>,
    card: "rest",
  },
  {
    title: "Actions",
    hideTitle: true,
    align: "right",
    card: "rest",
    cell: (version) =>
      version.isInUse ? (
        <span className="muted" title="Fees were computed with it, so it cannot be changed.">
          In use
        </span>
      ) : (
        <IconButton
          label={`Change the version of ${date(version.effectiveOn)}`}
          icon={<Pencil size={15} aria-hidden="true" />}
          onClick={() => onChange(version)}
        />
      ),
  },
]
