import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Ellipsis, FilePlus2, Layers, Pencil } from "lucide-react"
import { useState } from "react"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { count, percent } from "@/lib/format"
import { type Model, modelQuery } from "@/parts/models"
import { NoRecord } from "@/parts/no-record"
import { Button, IconButton } from "@/ui/button"
import { CardGrid, Screen } from "@/ui/card"
import { ButtonMenu } from "@/ui/overlay/menu"
import { usePageTitle } from "@/ui/page-title"
import { StatCard } from "@/ui/stat-card"
import { ErrorNote } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { StickyAction } from "@/ui/sticky-action"
import { Tabs } from "@/ui/tabs"
import { TitleRow } from "@/ui/title-row"
import { useIsPhone } from "@/ui/use-media"
import { ModelHistory } from "./model-history"
import { ModelSubscribers } from "./model-subscribers"
import { ModelVersionPanel } from "./model-version"
import type { SubscribersView } from "./queries"
import { RenameModel } from "./rename-model"
import { TrackRecordPanel } from "./track-record"
import { statusEntry, useModelStatus } from "./use-model-status"

/** What the address of a model holds; version number 0 is the newest. */
export interface ModelView extends SubscribersView {
  tab: "version" | "record" | "subscribers" | "history"
  number: number
  against: number
}

interface ModelPageProps {
  modelId: string
  view: ModelView
  onView: (change: Partial<ModelView>) => void
}

/** One model portfolio: a version, its subscribers and its history. */
export function ModelPage({ modelId, view, onView }: ModelPageProps) {
  const query = useQuery(modelQuery(modelId))
  const model = query.data
  const navigate = useNavigate()
  usePageTitle(model?.name ?? "Model portfolio")
  const toModels = () => void navigate({ to: "/home/models" })
  if (!model) {
    return (
      <NoRecord
        query={query}
        hint="There is no such model portfolio."
        action={<Button onClick={toModels}>Go to Models</Button>}
      />
    )
  }
  const version = model.versions.find((each) => each.number === view.number) ?? model.versions[0]
  const tabs = {
    version: version ? `Version ${version.number}` : "Version",
    record: "Track record",
    subscribers: `Subscribers (${count(model.subscribers)})`,
    history: "History",
  } as const
  return (
    <Screen>
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      <Head model={model} onBack={toModels} />
      <Figures model={model} />
      <Tabs
        label="Parts of the model"
        choices={tabs}
        value={view.tab}
        onChoice={(tab) => onView({ tab, page: 1, query: "" })}
      >
        {view.tab === "version" && version && (
          <ModelVersionPanel
            version={version}
            newest={model.latest.number}
            onNewest={() => onView({ number: 0 })}
          />
        )}
        {view.tab === "record" && <TrackRecordPanel modelId={model._id} />}
        {view.tab === "subscribers" && (
          <ModelSubscribers model={model} view={view} onView={onView} />
        )}
        {view.tab === "history" && (
          <ModelHistory modelId={model._id} versions={model.versions} view={view} onView={onView} />
        )}
      </Tabs>
    </Screen>
  )
}

function Figures({ model: { latest, subscribers, launchedAt } }: { model: Model }) {
  return (
    <CardGrid>
      <StatCard
        label="Newest version"
        value={count(latest.number)}
        context={`Published ${date(latest.createdAt)}`}
      />
      <StatCard
        label="Benchmark"
        value={latest.benchmark}
        context={`Of version ${latest.number}`}
      />
      <StatCard
        label="Stocks"
        value={count(latest.stocks)}
        context={`${percent(latest.cashPercentage)} cash`}
      />
      <StatCard
        label="Subscribers"
        value={count(subscribers)}
        context={`Launched ${date(launchedAt)}`}
      />
    </CardGrid>
  )
}

function Head({ model, onBack }: { model: Model; onBack: () => void }) {
  const isAdmin = useSession("role") === "ADMIN"
  const isActive = model.status === "ACTIVE"
  return (
    <TitleRow
      backLabel="Models"
      onBack={onBack}
      actions={isAdmin && <ModelActions model={model} />}
    >
      <StatusPill word={isActive ? "Active" : "Retired"} tone={isActive ? "gain" : "neutral"} />
    </TitleRow>
  )
}

function ModelActions({ model }: { model: Model }) {
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const [isRenaming, setIsRenaming] = useState(false)
  const changeStatus = useModelStatus()
  const publish = () =>
    void navigate({ to: "/home/models/$modelId/version", params: { modelId: model._id } })
  const newVersion = { label: "New version", icon: <FilePlus2 size={15} />, onSelect: publish }
  return (
    <>
      <ButtonMenu
        label="More"
        button={<IconButton framed label="More" icon={<Ellipsis size={16} />} />}
        entries={[
          ...(isPhone ? [newVersion] : []),
          { label: "Rename", icon: <Pencil size={15} />, onSelect: () => setIsRenaming(true) },
          statusEntry(model, () => void changeStatus(model)),
        ]}
      />
      {!isPhone && (
        <Button icon={newVersion.icon} data-add onClick={publish}>
          New version
        </Button>
      )}
      <StickyAction>
        <Button
          kind="primary"
          icon={<Layers size={15} />}
          disabled={model.status !== "ACTIVE" || model.subscribers === 0}
          title={model.subscribers === 0 ? "Nobody follows this model yet." : undefined}
          onClick={() =>
            void navigate({ to: "/home/models/book", search: { model: model._id, start: true } })
          }
        >
          Rebalance the book
        </Button>
      </StickyAction>
      {isRenaming && <RenameModel model={model} onClose={() => setIsRenaming(false)} />}
    </>
  )
}
