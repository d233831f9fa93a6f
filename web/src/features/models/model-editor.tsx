import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { FileCheck } from "lucide-react"
import { useEffect, useId, useState } from "react"
import { ApiError, messageOf } from "@/api/client"
import { useActKey } from "@/api/act-key"
import { signedInQuery } from "@/api/shared-queries"
import { count } from "@/lib/format"
import { readOwnDraft, saveTabDraft } from "@/lib/tab-draft"
import { type Model, modelQuery } from "@/parts/models"
import { NoRecord } from "@/parts/no-record"
import { Button } from "@/ui/button"
import { Screen } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { confirmDiscard } from "@/ui/overlay/modal"
import { usePageTitle } from "@/ui/page-title"
import { toastCentre } from "@/ui/overlay/toast"
import { Notice } from "@/ui/notice"
import { StickyAction } from "@/ui/sticky-action"
import { TitleRow } from "@/ui/title-row"
import { focusFirstField } from "@/ui/form/focus-first-field"
import { useZodForm } from "@/ui/form/use-zod-form"
import { ConstituentEditor } from "./constituent-editor"
import { type Constituent, differencesOf } from "./constituents"
import { draftFrom, draftName, faultOfRows, type ModelDraft, versionOf } from "./model-draft"
import styles from "./models.module.css"
import { useCreateModel, usePublishVersion } from "./queries"
import { versionTexts, VersionTextFields } from "./version-texts"

/** Writes a new model portfolio. */
export function NewModel() {
  usePageTitle("New model")
  return <WithOwner model={null} />
}

/** Writes the next version of a model portfolio, starting from the newest. */
export function NewVersion({ modelId }: { modelId: string }) {
  const query = useQuery(modelQuery(modelId))
  const model = query.data
  usePageTitle("New version", model?.name)
  if (model) return <WithOwner model={model} />
  return <NoRecord query={query} hint="There is no such model portfolio." />
}

/** A draft belongs to the person who wrote it: it is opened once that person is known. */
function WithOwner({ model }: { model: Model | null }) {
  const query = useQuery(signedInQuery)
  const me = query.data
  const [round, setRound] = useState(0)
  if (!me) return <NoRecord query={query} />
  const key = draftName(model)
  const draft = readOwnDraft(key, me.email) as ModelDraft | null
  return (
    <Editor
      key={`${key} ${round}`}
      model={model}
      owner={me.email}
      draft={draft}
      onDiscard={() => {
        saveTabDraft(key, null)
        setRound(round + 1)
      }}
    />
  )
}

interface EditorProps {
  model: Model | null
  owner: string
  /** The draft in this tab. */
  draft: ModelDraft | null
  /** Discards the draft and starts again. */
  onDiscard: () => void
}

function Editor({ model, owner, draft, onDiscard }: EditorProps) {
  const key = draftName(model)
  const navigate = useNavigate()
  const formId = useId()
  const [initial] = useState(() => draft ?? draftFrom(model, owner))
  const [rows, setRows] = useState(initial.rows)
  const publish = usePublish(model)
  const form = useZodForm(
    versionTexts(model === null),
    async (texts) => publish(texts, rows),
    initial.texts,
  )
  const texts = form.values
  const isTouched = draft !== null || form.isDirty || rows !== initial.rows
  useEffect(() => {
    if (isTouched) saveTabDraft(key, { owner, base: initial.base, texts, rows })
  }, [isTouched, key, owner, initial.base, texts, rows])

  const newest = model?.latest.number ?? 0
  const discard = async () => {
    if (await confirmDiscard()) onDiscard()
  }
  const back = () =>
    void (model
      ? navigate({ to: "/home/models/$modelId", params: { modelId: model._id } })
      : navigate({ to: "/home/models" }))
  return (
    <Screen>
      <TitleRow
        onBack={back}
        actions={
          <>
            {isTouched && <Button onClick={() => void discard()}>Discard draft</Button>}
            <StickyAction>
              <Button
                kind="primary"
                type="submit"
                form={formId}
                icon={<FileCheck size={15} />}
                isBusy={form.isSaving}
              >
                {model ? `Publish version ${newest + 1}` : "Create model"}
              </Button>
            </StickyAction>
          </>
        }
      >
        {isTouched && (
          <span className={`quiet ${styles.draftNote ?? ""}`}>Draft saved in this tab.</span>
        )}
      </TitleRow>
      {initial.base !== newest && (
        <Notice
          actions={<Button onClick={() => void discard()}>Start from version {newest}</Button>}
        >
          This draft is based on version {initial.base}. Version {newest} was published since.
        </Notice>
      )}
      <div className={styles.columns}>
        <ConstituentEditor rows={rows} onRows={setRows} />
        {/* The rows are outside the form: Enter in a target must not publish. */}
        <form ref={focusFirstField} id={formId} onSubmit={form.onSubmit} noValidate>
          <VersionTextFields form={form} isNew={model === null} />
        </form>
      </div>
    </Screen>
  )
}

const changesOf = (model: Model | null, rows: Constituent[]) => {
  const before = draftFrom(model, "").rows
  const differences = differencesOf(before, rows).filter(({ change }) => change !== 0)
  const entering = differences.filter((row) => row.before === null).length
  const leaving = differences.filter((row) => row.after === null).length
  const moved = differences.length - entering - leaving
  return `${count(entering)} added, ${count(leaving)} removed, ${count(moved)} changed.`
}

/** Publishes after a question, and opens the model. */
function usePublish(model: Model | null) {
  const navigate = useNavigate()
  const create = useCreateModel()
  const publish = usePublishVersion(model?._id ?? "")
  const keyOfAct = useActKey()
  return async (texts: ModelDraft["texts"], rows: Constituent[]) => {
    const fault = faultOfRows(rows)
    if (fault !== null) {
      toastCentre.error(fault)
      return
    }
    const version = versionOf(texts, rows)
    const number = (model?.latest.number ?? 0) + 1
    const isSure = await confirm({
      title: model ? `Publish version ${number} of ${model.name}?` : `Create ${texts.name.trim()}?`,
      text: model
        ? `${changesOf(model, rows)} ${followers(model.subscribers)} A published version never changes. No advice is sent.`
        : `${count(rows.length)} stocks. A published version never changes; to correct it, publish a new version.`,
      act: model ? "Publish" : "Create",
    })
    if (!isSure) return
    try {
      const body = { ...version, name: texts.name.trim() }
      const saved = model
        ? await publish.mutateAsync({ body: version, key: keyOfAct(version) })
        : await create.mutateAsync({ body, key: keyOfAct(body) })
      saveTabDraft(draftName(model), null)
      toastCentre.success(model ? `Version ${number} published` : "Model created")
      void navigate({ to: "/home/models/$modelId", params: { modelId: saved._id } })
    } catch (error) {
      toastCentre.error(messageOf(error, "Something went wrong"), { detail: detailOf(error) })
      throw error
    }
  }
}

const detailOf = (error: unknown) =>
  error instanceof ApiError ? error.errors.map(({ message }) => message).join(" ") : undefined

const followers = (number: number) =>
  number === 1 ? "1 client follows it." : `${count(number)} clients follow it.`
