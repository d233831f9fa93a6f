import { useQueryClient } from "@tanstack/react-query"
import { ListPlus } from "lucide-react"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { useModels } from "@/parts/models"
import { Button } from "@/ui/button"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField, TextField } from "@/ui/form/fields"
import { ButtonMenu } from "@/ui/overlay/menu"
import { Modal } from "@/ui/overlay/modal"
import { toastCentre } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import styles from "./advice.module.css"
import { readTargets } from "./pasted-targets"
import { toggleAutoForAll } from "./row-changes"
import { startFrom, startFromAdvice, startFromHoldings, startFromModel } from "./starts"
import type { AdviceRow } from "./targets"

type Dialog = "model" | "paste"

/**
 * Where the targets can come from. While no row has a target the choices are side by side over the table, then they
 * are in a menu.
 */
export function StartFrom({ rows, isMenu }: { rows: AdviceRow[]; isMenu: boolean }) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const isPhone = useIsPhone()
  const isBare = !isPhone && rows.every((row) => row.target === null)
  const close = () => setDialog(null)
  const starts = [
    { label: "What the client holds now", onSelect: () => void startFromHoldings() },
    { label: "A model portfolio", onSelect: () => setDialog("model") },
    { label: "The last advice", onSelect: () => void startFromAdvice() },
    { label: "Pasted rows", onSelect: () => setDialog("paste") },
  ]
  const auto = { label: "Auto for all, on or off", onSelect: () => void toggleAutoForAll() }
  if (isMenu === isBare) return null
  return (
    <>
      {isMenu ? (
        <ButtonMenu
          label="Start from"
          button={<Button kind="subtle">Start from</Button>}
          entries={isPhone ? [...starts, auto] : starts}
        />
      ) : (
        <div className={styles.starts} role="group" aria-label="Start from">
          <span className={styles.startsTitle}>
            <ListPlus size={16} aria-hidden="true" /> No targets yet. Start from
          </span>
          {starts.map(({ label, onSelect }) => (
            <Button key={label} onClick={onSelect}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {dialog === "model" && <ModelDialog onClose={close} />}
      {dialog === "paste" && <PasteDialog onClose={close} />}
    </>
  )
}

/** Chooses the model whose newest version gives the targets. */
function ModelDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const models = useModels()
  const [chosen, setChosen] = useState("")
  const [isBusy, setIsBusy] = useState(false)
  const active = models.data?.data.filter(({ status }) => status === "ACTIVE")
  const start = async () => {
    setIsBusy(true)
    try {
      if (await startFromModel(cache, chosen)) onClose()
    } catch (error) {
      toastCentre.error(messageOf(error, "Failed to fetch data"))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Modal title="Start from a model portfolio" isOpen onClose={onClose}>
      <DialogForm
        submitLabel="Set targets"
        isBusy={isBusy}
        isDisabled={chosen === ""}
        onSubmit={() => void start()}
        onCancel={onClose}
      >
        <SelectField
          label="Model"
          placeholder={models.isPending ? "Loading..." : "Choose a model"}
          options={Object.fromEntries(
            active?.map(({ _id, name, latest }) => [
              _id,
              `${name} (version ${latest.number}, ${latest.stocks} stocks)`,
            ]) ?? [],
          )}
          value={chosen}
          error={models.isError ? "The models could not be loaded." : undefined}
          description={
            active?.length === 0
              ? "There is no active model portfolio yet."
              : "Replaces all targets. Stocks of the model that are not in the table are added."
          }
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}

const MAX_FAULTS = 8

const Faults = ({ faults }: { faults: string[] }) => (
  <>
    {faults.slice(0, MAX_FAULTS).map((fault) => (
      <span key={fault} className={styles.fault}>
        {fault}
      </span>
    ))}
    {faults.length > MAX_FAULTS && (
      <span className={styles.fault}>{faults.length - MAX_FAULTS} more lines cannot be used.</span>
    )}
  </>
)

/** Takes targets from pasted lines: all of them, or none when a line is wrong. */
function PasteDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const [text, setText] = useState("")
  const [faults, setFaults] = useState<string[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const start = async () => {
    setIsBusy(true)
    try {
      const read = await readTargets(cache, text)
      setFaults(read.faults)
      const isUsable = read.faults.length === 0
      if (isUsable && (await startFrom(read.starts, "Targets set from the pasted rows"))) onClose()
    } catch (error) {
      toastCentre.error(messageOf(error, "Failed to fetch data"))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Modal
      title="Start from pasted rows"
      isOpen
      onClose={onClose}
      isDirty={text.trim() !== ""}
      width={480}
    >
      <DialogForm
        submitLabel="Set targets"
        isBusy={isBusy}
        isDisabled={text.trim() === ""}
        onSubmit={() => void start()}
        onCancel={onClose}
      >
        <TextField
          label="One stock per line: symbol and percent"
          placeholder={"INFY\t7.50\nHDFCBANK\t9.00"}
          minRows={10}
          maxLength={20_000}
          data-autofocus
          value={text}
          error={faults.length > 0 ? <Faults faults={faults} /> : undefined}
          description="Replaces all targets. Stocks that are not in the table are added."
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
