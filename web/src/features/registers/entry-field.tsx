import { type ReactNode, useState } from "react"
import { messageOf } from "@/api/client"
import { StockChoice } from "@/parts/stock-choice"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField, TextField } from "@/ui/form/fields"
import { FileDrop } from "@/ui/form/file-drop"
import type { Draft, FieldSpec } from "./fields"
import { uploadFile } from "./queries"

interface EntryFieldProps {
  field: FieldSpec
  draft: Draft
  error: string | undefined
  onChange: (change: Draft) => void
}

const MAX_LINE = 200
const MAX_TEXT = 5_000

/** One field of an entry, of its kind. */
export function EntryField({ field, draft, error, onChange }: EntryFieldProps) {
  const { name, kind } = field
  const value = draft[name] ?? ""
  const shared = {
    label: field.isOptional ? `${field.label} (optional)` : field.label,
    value,
    error: error === "" ? undefined : error,
    description: typeof field.hint === "function" ? field.hint(draft) : field.hint,
  }
  const set = (text: string) => onChange({ [name]: text })
  switch (kind) {
    case "day":
      return <DateField {...shared} max={field.max} onChange={set} />
    case "choice":
      return field.useOptions ? (
        <ServerChoice {...shared} useOptions={field.useOptions} onChange={set} />
      ) : (
        <SelectField
          {...shared}
          options={field.options ?? []}
          placeholder="Choose…"
          onChange={({ target }) => set(target.value)}
        />
      )
    case "text":
      return (
        <TextField
          {...shared}
          minRows={4}
          maxLength={MAX_TEXT}
          onChange={({ target }) => set(target.value)}
        />
      )
    case "stock":
      return <StockField draft={draft} error={shared.error} onChange={onChange} />
    case "file":
      return <FileField {...shared} draft={draft} onChange={onChange} />
    default:
      return (
        <Field
          {...shared}
          maxLength={MAX_LINE}
          placeholder={kind === "time" ? "16:30" : undefined}
          onChange={({ target }) => set(target.value)}
        />
      )
  }
}

interface ServerChoiceProps {
  label: string
  value: string
  error: string | undefined
  description: ReactNode
  useOptions: NonNullable<FieldSpec["useOptions"]>
  onChange: (value: string) => void
}

/** A choice from what the server has. What the entry has stays on offer, though no new entry may have it. */
function ServerChoice({ useOptions, onChange, ...shared }: ServerChoiceProps) {
  const { data: options = [], isLoadingError } = useOptions()
  const [stored] = useState(shared.value)
  const isRetired = Array.isArray(options) && stored !== "" && !options.includes(stored)
  return (
    <SelectField
      {...shared}
      error={
        isLoadingError ? "The choices could not be loaded. Open the form again." : shared.error
      }
      options={isRetired ? [...options, stored] : options}
      placeholder="Choose…"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function StockField({ draft, error, onChange }: Omit<EntryFieldProps, "field">) {
  const stock = draft.tradingSymbol
    ? {
        tradingSymbol: draft.tradingSymbol,
        exchange: draft.exchange ?? "",
        name: draft.stockName ?? "",
        isin: "",
      }
    : null
  return (
    <StockChoice
      stock={stock}
      error={error}
      onStock={(chosen) =>
        onChange({
          tradingSymbol: chosen.tradingSymbol,
          exchange: chosen.exchange,
          stockName: chosen.name,
        })
      }
    />
  )
}

interface FileFieldProps {
  label: string
  error: string | undefined
  draft: Draft
  onChange: (change: Draft) => void
}

/** A document that is uploaded as it is chosen; the entry names it by its hash. */
function FileField({ label, error, draft, onChange }: FileFieldProps) {
  const [refused, setRefused] = useState("")
  const [isBusy, setIsBusy] = useState(false)
  const upload = async (file: File) => {
    setRefused("")
    setIsBusy(true)
    try {
      const stored = await uploadFile(file)
      onChange({ file: stored.sha256, fileName: stored.name })
    } catch (problem) {
      setRefused(messageOf(problem, "The file could not be uploaded."))
    } finally {
      setIsBusy(false)
    }
  }
  const said = refused || error
  return (
    <div>
      <FileDrop
        label={draft.fileName ? `${draft.fileName} · choose another` : label}
        accept=".pdf,.png,.jpg,.jpeg"
        hint="PDF, PNG or JPEG, at most 2 MB"
        disabled={isBusy}
        onFile={(file) => void upload(file)}
        onRefused={setRefused}
      />
      {said && (
        <p role="alert" className="loss">
          {said}
        </p>
      )}
    </div>
  )
}
