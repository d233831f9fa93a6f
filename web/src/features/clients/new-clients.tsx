import { Plus } from "lucide-react"
import { type SyntheticEvent, useRef, useState } from "react"
import { ApiError, messageOf, newIdempotencyKey } from "@/api/client"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { confirmDiscard, Modal } from "@/ui/modal"
import { toast } from "@/ui/toast"
import { NewClientRow } from "./new-client-row"
import {
  bodyOf,
  type Draft,
  type DraftField,
  emptyDraft,
  type Faults,
  faultsByRow,
  faultsOfDraft,
  isTouched,
  MOST_ROWS,
  parsePasted,
  withPasted,
} from "./new-client-rows"
import styles from "./new-clients.module.css"
import { useAddClients } from "./queries"

const keepFocus = (event: SyntheticEvent) => event.preventDefault()
const hasFault = (faults: Faults) => Object.values(faults).some(Boolean)

/** Add New Client: a row a client, all added or none. */
export function NewClients({ onClose }: { onClose: () => void }) {
  const [drafts, setDrafts] = useState(() => [emptyDraft()])
  const [faults, setFaults] = useState<Record<number, Faults>>({})
  const sent = useRef({ body: "", key: "" })
  const rows = useRef<HTMLDivElement>(null)
  const add = useAddClients()
  const isDirty = isTouched(drafts)

  const show = (found: Faults[]) => {
    setFaults(Object.fromEntries(drafts.map((draft, index) => [draft.key, found[index] ?? {}])))
    requestAnimationFrame(() =>
      rows.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus(),
    )
  }
  const fault = (key: number, field: DraftField, message: string | undefined) =>
    setFaults((old) => ({ ...old, [key]: { ...old[key], [field]: message } }))
  const change = (key: number, field: DraftField, value: string) => {
    setDrafts((old) =>
      old.map((draft) => (draft.key === key ? { ...draft, [field]: value } : draft)),
    )
    fault(key, field, undefined)
  }
  const leave = (draft: Draft, field: DraftField) => {
    fault(draft.key, field, faultsOfDraft(draft)[field])
  }
  const paste = (start: number, text: string) => {
    const lines = parsePasted(text)
    if (!lines) return false
    setDrafts(withPasted(drafts, start, lines))
    if (start + lines.length > MOST_ROWS) {
      toast.warning(`${count(MOST_ROWS)} clients can be added at once; the rest was left out.`)
    }
    return true
  }
  const addRow = () => {
    setDrafts([...drafts, emptyDraft()])
    requestAnimationFrame(() =>
      rows.current?.querySelector<HTMLElement>("[role='group']:last-child input")?.focus(),
    )
  }
  const cancel = async () => {
    if (!isDirty || (await confirmDiscard())) onClose()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (add.isPending) return
    const found = drafts.map(faultsOfDraft)
    if (found.some(hasFault)) {
      show(found)
      return
    }
    const clients = bodyOf(drafts)
    const body = JSON.stringify(clients)
    // The same rows sent again are the same act; other rows are another.
    if (sent.current.body !== body) sent.current = { body, key: newIdempotencyKey() }
    add.mutate(
      { clients, key: sent.current.key },
      {
        onSuccess: (message) => {
          toast.success(message || "Client created successfully")
          onClose()
        },
        onError: (error) => {
          toast.error(messageOf(error, "Something went wrong"))
          if (error instanceof ApiError) show(faultsByRow(error.errors, drafts.length))
        },
      },
    )
  }
  return (
    <Modal title="Add New Client" isOpen onClose={onClose} isDirty={isDirty} width={860}>
      <form onSubmit={submit} noValidate>
        <div className={styles.rows} ref={rows}>
          {drafts.map((draft, index) => (
            <NewClientRow
              key={draft.key}
              draft={draft}
              place={index}
              faults={faults[draft.key] ?? {}}
              isOnly={drafts.length === 1}
              onChange={(field, value) => change(draft.key, field, value)}
              onLeave={(field) => leave(draft, field)}
              onPaste={(text) => paste(index, text)}
              onRemove={() => setDrafts(drafts.filter((each) => each !== draft))}
            />
          ))}
        </div>
        <p className={styles.hint}>Rows copied from a spreadsheet can be pasted into any field.</p>
        {/* A press must not blur the field first: its message would move the button from under the pointer. */}
        <div className={styles.foot} role="presentation" onMouseDown={keepFocus}>
          <Button
            icon={<Plus size={15} aria-hidden="true" />}
            disabled={drafts.length >= MOST_ROWS}
            onClick={addRow}
          >
            Add Row
          </Button>
          <span className={styles.spread} />
          <Button onClick={() => void cancel()}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={add.isPending}>
            Submit
          </Button>
        </div>
      </form>
    </Modal>
  )
}
