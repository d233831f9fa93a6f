import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useActKey } from "@/api/act-key"
import { date } from "@/lib/dates"
import { count, percent } from "@/lib/format"
import { type Model, modelQuery, useModels } from "@/parts/models"
import { RebalanceOptionFields } from "@/parts/rebalance-options"
import { toastCentreError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField } from "@/ui/form/fields"
import { PercentField } from "@/ui/form/number-fields"
import { RadioField } from "@/ui/form/radio-field"
import { Modal } from "@/ui/overlay/modal"
import { bookLimitsQuery, useStartRun } from "./queries"
import type { Outside, Run, RunOptions } from "./types"
import { outsideWords } from "./words"

interface StartRunProps {
  /** The id of the model chosen at first; empty for none. */
  model: string
  onClose: () => void
  onStarted: (run: Run) => void
}

/** Chooses a model version and how its subscribers are computed. Nothing is sent. */
export function StartRun({ model, onClose, onStarted }: StartRunProps) {
  const [modelId, setModelId] = useState(model)
  const [versionId, setVersionId] = useState("")
  const [tolerance, setTolerance] = useState<number | "">("")
  const [outside, setOutside] = useState<Outside>("KEEP")
  const [options, setOptions] = useState<RunOptions>({})
  const [isTried, setIsTried] = useState(false)
  const { data: models } = useModels()
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
        onError: toastCentreError,
      },
    )
  }

  return (
    <Modal title="Rebalance the book" isOpen onClose={onClose} width={460}>
      <DialogForm
        submitLabel="Compute"
        isBusy={start.isPending}
        onSubmit={compute}
        onCancel={onClose}
      >
        <SelectField
          label="Model"
          placeholder="Choose a model"
          options={Object.fromEntries(usable.map(({ _id, name }) => [_id, name]))}
          value={modelId}
          error={isTried ? faultOf(modelId, followers) : undefined}
          description={followers === undefined ? undefined : followersText(followers)}
          onChange={(event) => {
            setModelId(event.currentTarget.value)
            setVersionId("")
          }}
        />
        <VersionField modelId={modelId} value={versionId} onChange={setVersionId} />
        <PercentField
          label="Skip clients whose largest drift is below"
          placeholder={
            limits ? `Firm's setting: ${percent(limits.tolerancePercentage)}` : "Firm's setting"
          }
          value={tolerance}
          onChange={setTolerance}
        />
        <RadioField
          label="Stocks outside the model"
          choices={outsideWords}
          value={outside}
          onChoice={setOutside}
          description={
            outside === "KEEP"
              ? "The model applies to the rest of the portfolio."
              : "Locked stocks are kept; all other stocks outside the model are sold."
          }
        />
        <RebalanceOptionFields options={options} onChange={setOptions} />
      </DialogForm>
    </Modal>
  )
}

function faultOf(modelId: string, followers: number | undefined) {
  if (modelId === "") return "Please choose a model"
  return followers === 0 ? "This model portfolio has no subscribers." : undefined
}

const followersText = (followers: number) =>
  followers === 1
    ? "1 client follows it. You can leave it out later."
    : `${count(followers)} clients follow it. You can leave out any of them later.`

interface VersionFieldProps {
  modelId: string
  value: string
  onChange: (versionId: string) => void
}

function VersionField({ modelId, value, onChange }: VersionFieldProps) {
  const { data: model } = useQuery({ ...modelQuery(modelId), enabled: modelId !== "" })
  const older = (model?.versions ?? []).slice(1)
  const nameOf = ({ number, createdAt }: Model["versions"][number]) =>
    `Version ${number} · ${date(createdAt)}`
  return (
    <SelectField
      label="Version"
      placeholder={model ? `Newest: version ${model.latest.number}` : "Newest"}
      options={Object.fromEntries(older.map((version) => [version._id, nameOf(version)]))}
      value={value}
      disabled={!model}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
