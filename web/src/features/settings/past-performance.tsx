import { useQuery } from "@tanstack/react-query"
import * as z from "zod/mini"
import { Card, Screen } from "@/ui/card"
import { DateField } from "@/ui/form/date-field"
import { Field, TextField } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { ErrorNote, Loading } from "@/ui/states"
import {
  type EditedPastPerformance,
  type PastPerformance,
  pastPerformanceQuery,
  useSavePastPerformance,
} from "./past-performance-queries"
import styles from "./settings.module.css"
import { UndoAndSave } from "@/ui/form/undo-and-save"

const day = z.string().check(z.minLength(1, "Please select a valid date"))
const text = z.string().check(z.trim(), z.minLength(1, "This text is required"), z.maxLength(2000))
const reference = z.string().check(z.trim(), z.maxLength(300))

const schema = z.object({
  verifiedFrom: day,
  enrolUntil: day,
  certifiedUntil: day,
  effectiveOn: day,
  wordsOwn: text,
  wordsCertified: text,
  wordsVerified: text,
  source: text,
  enrolledOn: z.string(),
  enrolment: reference,
  certificate: reference,
  certifiedFirst: z.string(),
  certifiedLast: z.string(),
  verification: reference,
  verifiedFirst: z.string(),
  verifiedLast: z.string(),
})

type Draft = z.output<typeof schema>

const papers = [
  "enrolledOn",
  "certifiedFirst",
  "certifiedLast",
  "verifiedFirst",
  "verifiedLast",
] as const

const draftOf = (details: PastPerformance) => ({
  ...details,
  ...Object.fromEntries(papers.map((name) => [name, details[name] ?? ""])),
})

const sentOf = (draft: Draft, version: number): EditedPastPerformance => ({
  ...draft,
  ...Object.fromEntries(papers.map((name) => [name, draft[name] || null])),
  version,
})

/** To whom past performance may be shown: the dates and words of the rules, and the firm's papers. */
export default function PastPerformanceSettings() {
  const details = useQuery(pastPerformanceQuery)
  if (details.isError && !details.data)
    return <ErrorNote message="Failed to fetch data" onRetry={details.refetch} />
  if (!details.data) return <Loading />
  return <PastPerformanceForm key={details.data.version} details={details.data} />
}

function usePastPerformanceForm(details: PastPerformance) {
  const save = useSavePastPerformance()
  return useZodForm(
    schema,
    (draft) => save.mutateAsync(sentOf(draft, details.version)),
    draftOf(details) as Draft,
  )
}

type Form = ReturnType<typeof usePastPerformanceForm>

function PastPerformanceForm({ details }: { details: PastPerformance }) {
  const form = usePastPerformanceForm(details)
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Screen>
        <Papers form={form} />
        <Rules form={form} />
        <Words form={form} />
      </Screen>
      <UndoAndSave form={form} />
    </form>
  )
}

function Papers({ form }: { form: Form }) {
  return (
    <Card
      title="What the firm has"
      note="Certified figures are shown to one person who asks. Verified figures are shown to anybody. A client’s own account statement needs neither."
    >
      <div className={styles.fields}>
        <DateField label="Enrolled with PaRRVA on" {...form.field("enrolledOn")} />
        <Field label="Enrolment number" maxLength={300} {...form.field("enrolment")} />
        <Field
          label="Certificate of a chartered or cost accountant"
          maxLength={300}
          {...form.field("certificate")}
        />
        <DateField label="Certified from" {...form.field("certifiedFirst")} />
        <DateField label="Certified to" {...form.field("certifiedLast")} />
        <Field label="Verification by the agency" maxLength={300} {...form.field("verification")} />
        <DateField label="Verified from" {...form.field("verifiedFirst")} />
        <DateField label="Verified to" {...form.field("verifiedLast")} />
      </div>
    </Card>
  )
}

function Rules({ form }: { form: Form }) {
  return (
    <Card title="Rules" note="Compare them with the circulars. Every change is in the audit trail.">
      <div className={styles.fields}>
        <DateField
          label="Only as verified: periods from"
          description="Figures of this day and later are shown as verified or not at all."
          {...form.field("verifiedFrom")}
        />
        <DateField label="Enrolment possible until" {...form.field("enrolUntil")} />
        <DateField
          label="Certified figures until"
          description="After this day they are shown to nobody."
          {...form.field("certifiedUntil")}
        />
        <DateField label="Rules as of" {...form.field("effectiveOn")} />
      </div>
      <TextField label="Source" minRows={2} maxLength={2000} {...form.field("source")} />
    </Card>
  )
}

function Words({ form }: { form: Form }) {
  return (
    <Card title="Words" note="Printed with the figures.">
      <TextField label="With a client’s own account" maxLength={2000} {...form.field("wordsOwn")} />
      <TextField
        label="With certified figures"
        maxLength={2000}
        {...form.field("wordsCertified")}
      />
      <TextField label="With verified figures" maxLength={2000} {...form.field("wordsVerified")} />
    </Card>
  )
}
