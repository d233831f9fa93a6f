import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { Button, IconButton } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Actions } from "@/ui/overlay/confirm"
import { Field, TextField } from "@/ui/form/fields"
import { FirmPanel } from "./firm-panel"
import { type FirmDetails, useSaveFirm } from "./queries"
import styles from "./settings.module.css"

/** Rationale texts to choose from in the Send dialog, and the standard rationale. */
export default function RationaleSettings() {
  return <FirmPanel form={Rationales} />
}

let lastKey = 0
const keyed = (row: { name: string; text: string }) => ({ ...row, key: (lastKey += 1) })

function Rationales({ firm }: { firm: FirmDetails }) {
  const save = useSaveFirm("Rationales saved")
  const [rows, setRows] = useState(() => firm.rationales.map(keyed))
  const [standard, setStandard] = useState(firm.standardRationale)
  const change = (key: number, changed: { name?: string; text?: string }) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)))
  const submit = () =>
    save.mutate({
      rationales: rows.map(({ name, text }) => ({ name, text })),
      standardRationale: standard,
      version: firm.version,
    })
  return (
    <Screen>
      <Card title="Rationale texts" note="Choose and edit them in the Send dialog.">
        <div className={styles.questions}>
          {rows.length === 0 && <p className={styles.hint}>Texts you add appear here.</p>}
          {rows.map(({ key, name, text }) => (
            <div key={key} className={styles.rationaleRow}>
              <Field
                label="Name"
                value={name}
                maxLength={100}
                onChange={(event) => change(key, { name: event.currentTarget.value })}
              />
              <IconButton
                label={`Remove ${name === "" ? "this text" : name}`}
                icon={<Trash2 size={15} aria-hidden="true" />}
                onClick={() => setRows(rows.filter((row) => row.key !== key))}
              />
              <div className={styles.whole}>
                <TextField
                  label="Text"
                  value={text}
                  maxLength={5000}
                  onChange={(event) => change(key, { text: event.currentTarget.value })}
                />
              </div>
            </div>
          ))}
          <div>
            <Button
              icon={<Plus size={15} aria-hidden="true" />}
              onClick={() => setRows([...rows, keyed({ name: "", text: "" })])}
            >
              Add text
            </Button>
          </div>
        </div>
      </Card>
      <Card
        title="Standard rationale"
        note="Used if no rationale is given, and marked as standard."
      >
        <TextField
          label="Standard rationale"
          description="If empty, a sentence is generated from the orders."
          value={standard}
          maxLength={5000}
          onChange={(event) => setStandard(event.currentTarget.value)}
        />
      </Card>
      <Actions>
        <Button kind="primary" isBusy={save.isPending} onClick={submit}>
          Save
        </Button>
      </Actions>
    </Screen>
  )
}
