import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { count, percent } from "@/lib/format"
import { percentOf, WHOLE } from "@/lib/shares"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { TextField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { RadioField } from "@/ui/form/radio-field"
import { toast } from "@/ui/overlay/toast"
import { type Constituent, keyOf, OVER_100, totalOf } from "./constituents"
import styles from "./models.module.css"
import { readPasted } from "./pasted-rows"
import { resolveRows } from "./resolve-rows"

/** Most stocks of a version. */
export const MOST_STOCKS = 100

interface PasteRowsProps {
  rows: Constituent[]
  /** What was pasted already. */
  initial: string
  onRows: (rows: Constituent[]) => void
  onClose: () => void
}

const ways = { replace: "Replace all rows", add: "Add to the rows" } as const

const merged = (rows: Constituent[], more: Constituent[]) => {
  const young = new Map(more.map((row) => [keyOf(row), row]))
  const kept = rows.map((row) => {
    const next = young.get(keyOf(row))
    young.delete(keyOf(row))
    return next ? { ...row, target: next.target ?? row.target } : row
  })
  return [...kept, ...young.values()]
}

/** Symbols and percents from a spreadsheet, a line a stock. Lines that are not understood stay here. */
export function PasteRows({ rows, initial, onRows, onClose }: PasteRowsProps) {
  const cache = useQueryClient()
  const [text, setText] = useState(initial)
  const [way, setWay] = useState<keyof typeof ways>(rows.length > 0 ? "replace" : "add")
  const [fault, setFault] = useState<string | null>(null)
  const [isReading, setIsReading] = useState(false)
  const lines = readPasted(text)

  const take = async () => {
    setIsReading(true)
    setFault(null)
    try {
      const { found, missed } = await resolveRows(cache, lines)
      const next = merged(way === "replace" ? [] : rows, found)
      if (totalOf(next) > WHOLE) {
        setFault(`${OVER_100}: these rows make ${percent(percentOf(totalOf(next)))}.`)
        return
      }
      if (next.length > MOST_STOCKS) {
        setFault(`A model has at most ${count(MOST_STOCKS)} stocks.`)
        return
      }
      onRows(next)
      if (missed.length === 0) {
        onClose()
        return
      }
      // What was found stands in the table by now; what is left is to be mended here and added.
      setWay("add")
      setText(missed.map((row) => row.text).join("\n"))
      setFault(
        `${count(found.length)} found. Not known: ${missed.map((row) => row.symbol || row.isin).join(", ")}`,
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
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void take()
        }}
      >
        <TextField
          label="Symbol and percent, a line a stock"
          placeholder={"INFY\t7.50\nHDFCBANK\t9.00"}
          minRows={10}
          maxLength={20_000}
          data-autofocus
          value={text}
          error={fault}
          description={
            lines.length > 0
              ? `${count(lines.length)} ${lines.length === 1 ? "stock" : "stocks"}, ${percent(percentOf(totalOf(lines)))}`
              : "An exchange or an ISIN may stand beside them. Cash takes the rest."
          }
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {rows.length > 0 && (
          <RadioField label="What was there" choices={ways} value={way} onChoice={setWay} />
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isReading} disabled={lines.length === 0}>
            {lines.length > 0 ? `Take ${count(lines.length)} rows` : "Take rows"}
          </Button>
        </Actions>
      </form>
    </Modal>
  )
}
