import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { ArrowLeft, FileCheck } from "lucide-react"
import { useEffect, useId, useState } from "react"
import { ApiError, messageOf } from "@/api/client"
import { useActKey } from "@/api/act-key"
import { signedInQuery } from "@/api/shared-queries"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { confirm } from "@/ui/overlay/confirm"
import { confirmDiscard } from "@/ui/overlay/modal"
import { usePageTitle } from "@/ui/page-title"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { toastCentre } from "@/ui/overlay/toast"
import { useIsPhone } from "@/ui/use-media"
import { useZodForm } from "@/ui/form/use-zod-form"
import { ConstituentEditor } from "./constituent-editor"
import { type Constituent, differencesOf } from "./constituents"
import { drop, keep, readKept } from "./kept"
import { draftFrom, draftName, faultOfRows, type ModelDraft, versionOf } from "./model-draft"
import styles from "./models.module.css"
import { modelQuery, useCreateModel, usePublishVersion } from "./queries"
import type { Model } from "./types"
import { versionTexts, VersionTextFields } from "./version-texts"

/** Writes a new model portfolio. */
export function NewModel() {
  usePageTitle("New model")
  return <WithOwner model={null} />
}

/** Writes the next version of a model portfolio, beginning with the newest. */
export function NewVersion({ modelId }: { modelId: string }) {
  const { data: model, isError, error, refetch } = useQuery(modelQuery(modelId))
  usePageTitle("New version", model?.name)
  if (model) return <WithOwner model={model} />
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <Card>
      {!isError && <Loading />}
      {isError && !isUnknown && <ErrorNote message="Failed to fetch data" onRetry={refetch} />}
      {isUnknown && (
        <EmptyState title="No Data Available" hint="There is no such model portfolio." />
      )}
    </Card>
  )
}

/** A draft belongs to who wrote it: without knowing who that is, none is opened. */
function WithOwner({ model }: { model: Model | null }) {
  const { data: me, isError, refetch } = useQuery(signedInQuery)
  const [round, setRound] = useState(0)
  if (!me) {
    return (
      <Card>
        {isError ? <ErrorNote message="Failed to fetch data" onRetry={refetch} /> : <Loading />}
      </Card>
    )
  }
  const key = draftName(model)
  const kept = readKept(key, me.email) as ModelDraft | null
  return (
    <Editor
      key={`${key} ${round}`}
      model={model}
      owner={me.email}
      kept={kept}
      onAnew={() => {
        drop(key)
        setRound(round + 1)
      }}
    />
  )
}

interface EditorProps {
  model: Model | null
  owner: string
  /** What this tab kept of an earlier writing. */
  kept: ModelDraft | null
  /** Drops the draft and begins anew. */
  onAnew: () => void
}

function Editor({ model, owner, kept, onAnew }: EditorProps) {
  const key = draftName(model)
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const formId = useId()
  const [initial] = useState(() => kept ?? draftFrom(model, owner))
  const [rows, setRows] = useState(initial.rows)
  const publish = usePublish(model)
  const form = useZodForm(
    versionTexts(model === null),
    async (texts) => publish(texts, rows),
    initial.texts,
  )
  const texts = form.values
  const isTouched = kept !== null || form.isDirty || rows !== initial.rows
  useEffect(() => {
    if (isTouched) keep(key, { owner, base: initial.base, texts, rows })
  }, [isTouched, key, owner, initial.base, texts, rows])

  const newest = model?.latest.number ?? 0
  const discard = async () => {
    if (await confirmDiscard()) onAnew()
  }
  const back = () =>
    void (model
      ? navigate({ to: "/home/models/$modelId", params: { modelId: model._id } })
      : navigate({ to: "/home/models" }))
  const button = (
    <Button
      kind="primary"
      type="submit"
      form={formId}
      icon={<FileCheck size={15} aria-hidden="true" />}
      isBusy={form.isSaving}
    >
      {model ? `Publish version ${newest + 1}` : "Create model"}
    </Button>
  )
  return (
    <Screen>
      <div className={styles.titleRow}>
        <Button icon={<ArrowLeft size={15} aria-hidden="true" />} onClick={back}>
          Back
        </Button>
        {isTouched && <span className={styles.keptNote}>The draft is kept in this tab.</span>}
        <div className={styles.acts}>
          {isTouched && <Button onClick={() => void discard()}>Discard draft</Button>}
          {isPhone ? <div className={styles.stuck}>{button}</div> : button}
        </div>
      </div>
      {initial.base !== newest && (
        <div className={styles.notice} role="status">
          <p>
            This draft began with version {initial.base}; version {newest} was published since.
          </p>
          <Button onClick={() => void discard()}>Begin with version {newest}</Button>
        </div>
      )}
      <div className={styles.columns}>
        <ConstituentEditor rows={rows} onRows={setRows} />
        {/* The rows stand outside: Enter in a target is no wish to publish. */}
        <form id={formId} onSubmit={form.onSubmit} noValidate>
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
  return `${count(entering)} in, ${count(leaving)} out, ${count(moved)} changed.`
}

/** Asks, publishes once, and goes to what was published. */
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
        ? `${changesOf(model, rows)} ${followers(model.subscribers)} A version never changes; nothing is sent to anybody by this.`
        : `${count(rows.length)} stocks. A version never changes; what is wrong in it is mended by the next one.`,
      act: model ? "Publish" : "Create",
    })
    if (!isSure) return
    try {
      const body = { ...version, name: texts.name.trim() }
      const saved = model
        ? await publish.mutateAsync({ body: version, key: keyOfAct(version) })
        : await create.mutateAsync({ body, key: keyOfAct(body) })
      drop(draftName(model))
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
