import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useActKey } from "@/api/act-key"
import { messageOf } from "@/api/client"
import { date } from "@/lib/dates"
import { count, percent } from "@/lib/format"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { SelectField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { PercentField } from "@/ui/form/number-fields"
import { RadioField } from "@/ui/form/radio-field"
import { toastCentre } from "@/ui/overlay/toast"
import { bookLimitsQuery, useStartRun } from "./book-queries"
import { outsideWords } from "./book-words"
import { useModels } from "./model-choice"
import styles from "./models.module.css"
import { modelQuery } from "./queries"
import { RunOptionsFields } from "./run-options"
import type { Outside, Run, RunOptions } from "./types"

interface StartRunProps {
  /** The model to begin with; empty when none was chosen before. */
  model: string
  onClose: () => void
  onStarted: (run: Run) => void
}

/** Chooses a model version and how its subscribers are computed. Nothing is sent by this. */
export function StartRun({ model, onClose, onStarted }: StartRunProps) {
  const [modelId, setModelId] = useState(model)
  const [versionId, setVersionId] = useState("")
  const [tolerance, setTolerance] = useState<number | "">("")
  const [outside, setOutside] = useState<Outside>("KEEP")
  const [options, setOptions] = useState<RunOptions>({})
  const [isTried, setIsTried] = useState(false)
  const { data: models } = useModels()
  const { data: chosen } = useQuery({ ...modelQuery(modelId), enabled: modelId !== "" })
  const { data: limits } = useQuery(bookLimitsQuery)
  const start = useStartRun()
  const keyOf = useActKey()

  const usable = (models?.data ?? []).filter(({ status }) => status === "ACTIVE")
  const followers = usable.find(({ _id }) => _id === modelId)?.subscribers
  const compute = () => {
    setIsTried(true)
    if (modelId === "" || followers === 0) return
    const body = {
      modelId,
      outside,
      ...(versionId === "" ? {} : { versionId }),
      ...(tolerance === "" ? {} : { tolerancePercentage: tolerance }),
      ...(Object.keys(options).length === 0 ? {} : { options }),
    }
    start.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: onStarted,
        onError: (error) => toastCentre.error(messageOf(error, "Something went wrong")),
      },
    )
  }
  const fault = !isTried
    ? undefined
    : modelId === ""
      ? "Please choose a model"
      : followers === 0
        ? "This model portfolio has no subscribers."
        : undefined
  return (
    <Modal title="Rebalance the book" isOpen onClose={onClose} width={460}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          compute()
        }}
      >
        <SelectField
          label="Model"
          placeholder="Choose a model"
          options={Object.fromEntries(usable.map(({ _id, name }) => [_id, name]))}
          value={modelId}
          error={fault}
          description={
            followers === undefined
              ? undefined
              : followers === 1
                ? "1 client follows it; one can be left out afterwards."
                : `${count(followers)} clients follow it; any can be left out afterwards.`
          }
          onChange={(event) => {
            setModelId(event.currentTarget.value)
            setVersionId("")
          }}
        />
        <SelectField
          label="Version"
          placeholder={chosen ? `Newest: version ${chosen.latest.number}` : "Newest"}
          options={Object.fromEntries(
            (chosen?.versions ?? [])
              .slice(1)
              .map(({ _id, number, createdAt }) => [_id, `Version ${number} · ${date(createdAt)}`]),
          )}
          value={versionId}
          disabled={!chosen}
          onChange={(event) => setVersionId(event.currentTarget.value)}
        />
        <PercentField
          label="Leave clients alone whose largest drift is under"
          placeholder={
            limits ? `Firm's setting: ${percent(limits.tolerancePercentage)}` : "Firm's setting"
          }
          value={tolerance}
          onChange={setTolerance}
        />
        <RadioField
          label="What is held but not in the model"
          choices={outsideWords}
          value={outside}
          onChoice={setOutside}
          description={
            outside === "KEEP"
              ? "The model is applied to the rest of the portfolio."
              : "Locked stocks stay; everything else outside the model is sold."
          }
        />
        <RunOptionsFields options={options} onChange={setOptions} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={start.isPending}>
            Compute
          </Button>
        </Actions>
      </form>
    </Modal>
  )
}
