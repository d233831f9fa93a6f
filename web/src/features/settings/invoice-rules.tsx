import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import * as z from "zod/mini"
import { date } from "@/lib/dates"
import { percent } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { PercentField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import {
  type InvoiceRule,
  invoiceRulesFile,
  invoiceRulesQuery,
  useSetInvoiceRule,
} from "./invoice-queries"
import styles from "./fee-schedule.module.css"

/** What the law says of fees and their invoices, by the day from which it holds. */
export function InvoiceRules() {
  const state = useQuery(invoiceRulesQuery)
  const [isOpen, setIsOpen] = useState(false)
  const inForce = state.data?.find((rule) => rule.isInForce)
  return (
    <Card
      flush
      title="Rules"
      note="Rate, SAC, advance and UPI IDs with their source. Rules in force stay; enter new ones from a later day."
      actions={
        <Button
          icon={<Plus size={15} aria-hidden="true" />}
          disabled={inForce === undefined}
          onClick={() => setIsOpen(true)}
        >
          Add rules
        </Button>
      }
    >
      <Table
        label="Rules of invoices"
        name="invoice-rules"
        download={invoiceRulesFile}
        columns={columns}
        rows={state.data}
        rowKey={(row) => row._id}
        rowName={(row) => `rules of ${date(row.effectiveOn)}`}
        state={state}
        skeletonRows={3}
        empty={{ title: "No Data Available" }}
      />
      {isOpen && inForce && <RuleForm rule={inForce} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

const columns: Column<InvoiceRule>[] = [
  {
    title: "Effective from",
    cell: (rule) => (
      <span className={styles.day}>
        {date(rule.effectiveOn)}
        {rule.isInForce && <StatusPill word="In force" tone="gain" />}
      </span>
    ),
    card: "title",
  },
  { title: "GST", cell: (rule) => percent(rule.gstRate), align: "right", card: "main" },
  { title: "SAC", cell: (rule) => rule.sac, card: "rest" },
  {
    title: "Advance",
    cell: (rule) => (rule.advanceMonths === null ? "No limit" : `${rule.advanceMonths} months`),
    card: "rest",
  },
  { title: "UPI ID", cell: (rule) => rule.upiPattern, card: "rest" },
  {
    title: "Source",
    cell: (rule) => <span className={styles.wide}>{rule.source}</span>,
    card: "rest",
  },
]

const schema = z.object({
  effectiveOn: z.string().check(z.minLength(1, "Please select a valid date")),
  gstRate: z.number("Enter a percentage"),
  sac: z.string().check(z.trim(), z.regex(/^\d{4,8}$/, "Enter 4 to 8 digits")),
  advanceMonths: z.string().check(z.regex(/^(|[1-9]|[1-5]\d|60)$/, "Enter 1 to 60, or nothing")),
  upiPattern: z.string().check(z.minLength(3, "Enter the shape of a UPI ID")),
  source: z.string().check(z.trim(), z.minLength(1, "Source is required")),
})

function RuleForm({ rule, onClose }: { rule: InvoiceRule; onClose: () => void }) {
  const save = useSetInvoiceRule()
  const form = useZodForm(
    schema,
    ({ advanceMonths, ...entered }) =>
      save.mutateAsync(
        { ...entered, advanceMonths: advanceMonths === "" ? null : Number(advanceMonths) },
        { onSuccess: onClose },
      ),
    {
      gstRate: rule.gstRate,
      sac: rule.sac,
      advanceMonths: rule.advanceMonths === null ? "" : String(rule.advanceMonths),
      upiPattern: rule.upiPattern,
      source: "",
    },
  )
  return (
    <Modal title="Add rules" isOpen onClose={onClose} isDirty={form.isDirty} width={440}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <DateField label="Effective from" data-autofocus {...form.field("effectiveOn")} />
        <PercentField label="GST" {...form.field("gstRate")} />
        <Field label="SAC" inputMode="numeric" {...form.field("sac")} />
        <Field
          label="Months in advance"
          inputMode="numeric"
          description="What a fee may cover ahead at most. Empty: no limit."
          {...form.field("advanceMonths")}
        />
        <Field
          label="Shape of a validated UPI ID"
          description="A star is for one or more letters, digits, dots and hyphens."
          {...form.field("upiPattern")}
        />
        <Field
          label="Source"
          maxLength={300}
          description="The circular or notification, with its date."
          {...form.field("source")}
        />
      </DialogForm>
    </Modal>
  )
}
