import { Plus } from "lucide-react"
import { type SyntheticEvent, useRef, useState } from "react"
import { count } from "@/lib/format"
import styles from "./add-people.module.css"
import { Button } from "@/ui/button"
import { confirmDiscard, Modal } from "@/ui/overlay/modal"
import { PersonRow } from "./person-row"
import {
  type Draft,
  type DraftField,
  emptyDraft,
  type Faults,
  faultsByRow,
  faultsOfDraft,
  isTouched,
  MOST_ROWS,
  parsePasted,
  peopleOf,
  type Person,
  type Roles,
  withPasted,
} from "./person-rows"
import { toast } from "@/ui/overlay/toast"
import { refusesFields } from "@/ui/form/use-zod-form"

const keepFocus = (event: SyntheticEvent) => event.preventDefault()
const hasFault = (faults: Faults) => Object.values(faults).some(Boolean)

interface AddPeopleProps<Role extends string> {
  title: string
  /** What a row adds: "Client". */
  kind: string
  roles: Roles<Role>
  onClose: () => void
  /** Adds all or none. Errors of fields are shown at them; the caller shows the message. */
  onSubmit: (people: Person<Role>[]) => Promise<unknown>
}

/** One row per person, typed or pasted from a spreadsheet; all are added or none. */
export function AddPeople<Role extends string>(props: AddPeopleProps<Role>) {
  const { title, kind, roles, onClose, onSubmit } = props
  const [drafts, setDrafts] = useState(() => [emptyDraft(roles)])
  const [faults, setFaults] = useState<Record<number, Faults>>({})
  const [isSaving, setIsSaving] = useState(false)
  const isRunning = useRef(false)
  const rows = useRef<HTMLDivElement>(null)
  const isDirty = isTouched(drafts)

  const show = (rowFaults: Faults[]) => {
    setFaults(Object.fromEntries(drafts.map((draft, index) => [draft.key, rowFaults[index] ?? {}])))
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
    setDrafts(withPasted(drafts, start, lines, roles))
    if (start + lines.length > MOST_ROWS) {
      toast.warning(`${count(MOST_ROWS)} rows can be added at once; the rest was left out.`)
    }
    return true
  }
  const addRow = () => {
    setDrafts([...drafts, emptyDraft(roles)])
    requestAnimationFrame(() =>
      rows.current?.querySelector<HTMLElement>("[role='group']:last-child input")?.focus(),
    )
  }
  const cancel = async () => {
    if (!isDirty || (await confirmDiscard())) onClose()
  }
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (isRunning.current) return
    const rowFaults = drafts.map(faultsOfDraft)
    if (rowFaults.some(hasFault)) {
      show(rowFaults)
      return
    }
    isRunning.current = true
    setIsSaving(true)
    try {
      await onSubmit(peopleOf(drafts))
    } catch (error) {
      if (refusesFields(error)) show(faultsByRow(error.errors, drafts.length))
    } finally {
      isRunning.current = false
      setIsSaving(false)
    }
  }
  return (
    <Modal title={title} isOpen onClose={onClose} isDirty={isDirty} width={940}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className={styles.rows} ref={rows}>
          {drafts.map((draft, index) => (
            <PersonRow
              key={draft.key}
              kind={kind}
              roles={roles}
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
        {/* A press must not blur the field first: its error would move the button away from the pointer. */}
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
          <Button kind="primary" type="submit" isBusy={isSaving}>
            Submit
          </Button>
        </div>
      </form>
    </Modal>
  )
}
