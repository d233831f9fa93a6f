import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { count, percent } from "@/lib/format"
import { OVER_100, percentOf, totalOf, WHOLE } from "@/lib/shares"
import { type PastedRow, readPasted, stockOf } from "@/parts/pasted-rows"
import { DialogForm } from "@/ui/form/dialog-form"
import { TextField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { RadioField } from "@/ui/form/radio-field"
import { toast } from "@/ui/overlay/toast"
import { type Constituent, keyOf, MAX_STOCKS } from "./constituents"

interface PasteRowsProps {
  rows: Constituent[]
  /** The text that was pasted into the editor. */
  initial: string
  onRows: (rows: Constituent[]) => void
  onClose: () => void
}

const ways = { replace: "Replace all rows", add: "Keep and add" } as const

const merged = (rows: Constituent[], more: Constituent[]) => {
  const added = new Map(more.map((row) => [keyOf(row), row]))
  const updated = rows.map((row) => {
    const next = added.get(keyOf(row))
    added.delete(keyOf(row))
    return next ? { ...row, target: next.target ?? row.target } : row
  })
  return [...updated, ...added.values()]
}

interface Resolved {
  known: Constituent[]
  unknown: PastedRow[]
}

async function resolveRows(cache: QueryClient, rows: PastedRow[]): Promise<Resolved> {
  const known = new Map<string, Constituent>()
  const unknown: PastedRow[] = []
  for (const row of rows) {
    const stock = await stockOf(cache, row)
    if (!stock) unknown.push(row)
    else known.set(keyOf(stock), { ...stock, target: row.target })
  }
  return { known: [...known.values()], unknown }
}

/** Adds symbols and percents from a spreadsheet, one stock per line. Lines with unknown stocks stay here. */
export function PasteRows({ rows, initial, onRows, onClose }: PasteRowsProps) {
  const cache = useQueryClient()
  const [text, setText] = useState(initial)
  const [way, setWay] = useState<keyof typeof ways>(rows.length > 0 ? "replace" : "add")
  const [fault, setFault] = useState<string | null>(null)
  const [isReading, setIsReading] = useState(false)
  const lines = readPasted(text)

  const add = async () => {
    setIsReading(true)
    setFault(null)
    try {
      const { known, unknown } = await resolveRows(cache, lines)
      const next = merged(way === "replace" ? [] : rows, known)
      if (totalOf(next) > WHOLE) {
        setFault(`${OVER_100}: these rows total ${percent(percentOf(totalOf(next)))}.`)
        return
      }
      if (next.length > MAX_STOCKS) {
        setFault(`A model has at most ${count(MAX_STOCKS)} stocks.`)
        return
      }
      onRows(next)
      if (unknown.length === 0) {
        onClose()
        return
      }
      // The known stocks are in the table now; the other lines are corrected here and added.
      setWay("add")
      setText(unknown.map((row) => row.text).join("\n"))
      setFault(
        `${count(known.length)} added. Unknown: ${unknown.map((row) => row.symbol || row.isin).join(", ")}`,
      )
    } catch (error) {
      toast.error(messageOf(error, "Failed to fetch data"))
    } finally {
      setIsReading(false)
    }
  }
  return (
    <Modal
      title="Paste rows"
      isOpen
      onClose={onClose}
      isDirty={text !== initial && text.trim() !== ""}
      width={480}
    >
      <DialogForm
        submitLabel={lines.length > 0 ? `Add ${count(lines.length)} rows` : "Add rows"}
        isBusy={isReading}
        isDisabled={lines.length === 0}
        onSubmit={() => void add()}
        onCancel={onClose}
      >
        <TextField
          label="One stock per line: symbol and percent"
          placeholder={"INFY\t7.50\nHDFCBANK\t9.00"}
          minRows={10}
          maxLength={20_000}
          data-autofocus
          value={text}
          error={fault}
          description={
            lines.length > 0
              ? `${count(lines.length)} ${lines.length === 1 ? "stock" : "stocks"}, ${percent(percentOf(totalOf(lines)))}`
              : "You can add an exchange or an ISIN. The rest is cash."
          }
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {rows.length > 0 && (
          <RadioField label="Existing rows" choices={ways} value={way} onChoice={setWay} />
        )}
      </DialogForm>
    </Modal>
  )
}
