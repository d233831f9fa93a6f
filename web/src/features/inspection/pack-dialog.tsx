import { useState } from "react"
import { messageOf, newIdempotencyKey } from "@/api/client"
import { type Range, today } from "@/lib/dates"
import { ClientCodeField } from "@/parts/client-code-field"
import { Button } from "@/ui/button"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field, SelectField } from "@/ui/form/fields"
import { RadioField } from "@/ui/form/radio-field"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote } from "@/ui/states"
import { kinds } from "./pack-columns"
import { faultOf, fiscalYear, fiscalYears, presets, yearName } from "./periods"
import { type PackAsked, type PackKind, useMakePack } from "./queries"
import styles from "./inspection.module.css"

const meanings = {
  INSPECTION: "All records of the days you choose, of the firm or of one client.",
  AUDIT: "A fiscal year of the firm, duty by duty, with a sample of the advice.",
} as const
const whom = { FIRM: "The whole firm", CLIENT: "One client" } as const
const MOST_EVERY = 1_000
const USUAL_EVERY = 10

/** Asks for a pack; the list then shows how far it is. */
export function PackDialog({ onClose }: { onClose: () => void }) {
  const now = today()
  const [kind, setKind] = useState<PackKind>("INSPECTION")
  const [of, setOf] = useState<keyof typeof whom>("FIRM")
  const [code, setCode] = useState("")
  const [days, setDays] = useState<Range>(presets(now)[0]?.range ?? { from: "", to: now })
  const [year, setYear] = useState(fiscalYears(now)[1] ?? "")
  const [every, setEvery] = useState(String(USUAL_EVERY))
  const [fault, setFault] = useState("")
  const [key, setKey] = useState(newIdempotencyKey)
  const make = useMakePack()
  const isAudit = kind === "AUDIT"

  const submit = () => {
    const found = isAudit ? faultOfSample(every) : faultOf(days, now) || faultOfClient(of, code)
    setFault(found)
    if (found !== "" || make.isPending) return
    const body: PackAsked = isAudit
      ? { kind, ...fiscalYear(year), sampleEvery: Number(every), clientCode: "" }
      : { kind, ...days, sampleEvery: 1, clientCode: of === "CLIENT" ? code : "" }
    make.mutate(
      { body, key },
      {
        onSuccess: () => {
          toast.success("The pack is being made")
          onClose()
        },
        // What is corrected is another call.
        onError: () => setKey(newIdempotencyKey()),
      },
    )
  }
  return (
    <Modal title="Make a pack" isOpen onClose={onClose} width={520}>
      <DialogForm
        submitLabel="Make the pack"
        isBusy={make.isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        <RadioField
          label="What is it for?"
          choices={kinds}
          value={kind}
          onChoice={setKind}
          description={meanings[kind]}
        />
        {isAudit ? (
          <AuditFields year={year} onYear={setYear} every={every} onEvery={setEvery} now={now} />
        ) : (
          <>
            <RadioField label="Whose records?" choices={whom} value={of} onChoice={setOf} />
            {of === "CLIENT" && <ClientCodeField code={code} onCode={setCode} />}
            <DayFields days={days} onDays={setDays} now={now} />
          </>
        )}
        {fault !== "" && <p role="alert">{fault}</p>}
        {make.isError && (
          <ErrorNote message={messageOf(make.error, "The pack could not be made.")} />
        )}
      </DialogForm>
    </Modal>
  )
}

const faultOfClient = (of: keyof typeof whom, code: string) =>
  of === "CLIENT" && !/^C\d{4}$/i.test(code.trim()) ? "Choose the client." : ""

const faultOfSample = (every: string) =>
  /^\d+$/.test(every) && Number(every) >= 1 && Number(every) <= MOST_EVERY
    ? ""
    : "Enter a whole number from 1 to 1,000."

interface DayFieldsProps {
  days: Range
  onDays: (days: Range) => void
  now: string
}

function DayFields({ days, onDays, now }: DayFieldsProps) {
  return (
    <>
      <div className={styles.presets} role="group" aria-label="Usual days">
        {presets(now).map(({ label, range }) => (
          <Button key={label} onClick={() => onDays(range)}>
            {label}
          </Button>
        ))}
      </div>
      <div className={styles.days}>
        <DateField
          label="From"
          max={now}
          value={days.from}
          onChange={(from) => onDays({ ...days, from })}
        />
        <DateField
          label="To"
          max={now}
          value={days.to}
          onChange={(to) => onDays({ ...days, to })}
        />
      </div>
    </>
  )
}

interface AuditFieldsProps {
  year: string
  onYear: (year: string) => void
  every: string
  onEvery: (every: string) => void
  now: string
}

function AuditFields({ year, onYear, every, onEvery, now }: AuditFieldsProps) {
  return (
    <>
      <SelectField
        label="Fiscal year"
        options={Object.fromEntries(fiscalYears(now).map((first) => [first, yearName(first)]))}
        value={year}
        onChange={(event) => onYear(event.currentTarget.value)}
      />
      <Field
        label="Sample of sealed advice: one in"
        description="1 takes every advice; 10 takes the first, then one in ten. The index of the pack states the rule."
        inputMode="numeric"
        value={every}
        onChange={(event) => onEvery(event.currentTarget.value)}
      />
    </>
  )
}
