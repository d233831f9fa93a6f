import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  Ellipsis,
  FilePlus2,
  Layers,
  Pencil,
} from "lucide-react"
import { useState } from "react"
import { ApiError } from "@/api/client"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { count, percent } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { Card, CardGrid, Screen } from "@/ui/card"
import { ButtonMenu } from "@/ui/overlay/menu"
import { usePageTitle } from "@/ui/page-title"
import { StatCard } from "@/ui/stat-card"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { Tabs } from "@/ui/tabs"
import { useIsPhone } from "@/ui/use-media"
import { ModelHistory } from "./model-history"
import { ModelSubscribers } from "./model-subscribers"
import { ModelVersionShown } from "./model-version"
import styles from "./models.module.css"
import { modelQuery, type SubscribersView } from "./queries"
import { RenameModel } from "./rename-model"
import type { Model } from "./types"
import { useModelStatus } from "./use-model-acts"

/** What the address of a model holds; version 0 is the newest. */
export interface ModelView extends SubscribersView {
  tab: "version" | "subscribers" | "history"
  number: number
  against: number
}

interface ModelPageProps {
  modelId: string
  view: ModelView
  onView: (change: Partial<ModelView>) => void
}

/** One model portfolio: a version of it, who follows it, and every version there was. */
export function ModelPage({ modelId, view, onView }: ModelPageProps) {
  const { data: model, isError, error, refetch } = useQuery(modelQuery(modelId))
  const navigate = useNavigate()
  usePageTitle(model?.name ?? "Model portfolio")
  const toModels = () => void navigate({ to: "/home/models" })
  if (!model) {
    const isUnknown = error instanceof ApiError && error.status === 404
    return (
      <Card>
        {!isError && <Loading />}
        {isError && !isUnknown && <ErrorNote message="Failed to fetch data" onRetry={refetch} />}
        {isUnknown && (
          <EmptyState
            title="No Data Available"
            hint="There is no such model portfolio."
            action={<Button onClick={toModels}>Go to Models</Button>}
          />
        )}
      </Card>
    )
  }
  const version = model.versions.find((each) => each.number === view.number) ?? model.versions[0]
  const tabs = {
    version: version ? `Version ${version.number}` : "Version",
    subscribers: `Subscribers (${count(model.subscribers)})`,
    history: "History",
  } as const
  return (
    <Screen>
      {isError && <ErrorNote message="Failed to fetch data" onRetry={refetch} />}
      <Head model={model} onBack={toModels} />
      <CardGrid>
        <StatCard
          label="Newest version"
          value={count(model.latest.number)}
          context={`Published ${date(model.latest.createdAt)}`}
        />
        <StatCard
          label="Benchmark"
          value={model.latest.benchmark}
          context={`Of version ${model.latest.number}`}
        />
        <StatCard
          label="Stocks"
          value={count(model.latest.stocks)}
          context={`${percent(model.latest.cashPercentage)} cash`}
        />
        <StatCard
          label="Subscribers"
          value={count(model.subscribers)}
          context={`Launched ${date(model.launchedAt)}`}
        />
      </CardGrid>
      <Tabs
        label="Parts of the model"
        choices={tabs}
        value={view.tab}
        onChoice={(tab) => onView({ tab, page: 1, query: "" })}
      >
        {view.tab === "version" && version && (
          <ModelVersionShown
            version={version}
            newest={model.latest.number}
            onNewest={() => onView({ number: 0 })}
          />
        )}
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

function Head({ model, onBack }: { model: Model; onBack: () => void }) {
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const [isRenamed, setIsRenamed] = useState(false)
  const changeStatus = useModelStatus()
  const isActive = model.status === "ACTIVE"
  const publish = () =>
    void navigate({ to: "/home/models/$modelId/version", params: { modelId: model._id } })
  const rebalance = (
    <Button
      kind="primary"
      icon={<Layers size={15} aria-hidden="true" />}
      disabled={!isActive || model.subscribers === 0}
      title={model.subscribers === 0 ? "Nobody follows this model yet." : undefined}
      onClick={() =>
        void navigate({ to: "/home/models/book", search: { model: model._id, start: true } })
      }
    >
      Rebalance the book
    </Button>
  )
  return (
    <div className={styles.titleRow}>
      <Button icon={<ArrowLeft size={15} aria-hidden="true" />} onClick={onBack}>
        Models
      </Button>
      <StatusPill word={isActive ? "In use" : "Retired"} tone={isActive ? "gain" : "neutral"} />
      {isAdmin && (
        <div className={styles.acts}>
          <ButtonMenu
            label="More"
            button={
              <IconButton framed label="More" icon={<Ellipsis size={16} aria-hidden="true" />} />
            }
            entries={[
              ...(isPhone
                ? [
                    {
                      label: "New version",
                      icon: <FilePlus2 size={15} aria-hidden="true" />,
                      onSelect: publish,
                    },
                  ]
                : []),
              {
                label: "Rename",
                icon: <Pencil size={15} aria-hidden="true" />,
                onSelect: () => setIsRenamed(true),
              },
              {
                label: isActive ? "Retire" : "Take back into use",
                icon: isActive ? (
                  <Archive size={15} aria-hidden="true" />
                ) : (
                  <ArchiveRestore size={15} aria-hidden="true" />
                ),
                onSelect: () => void changeStatus(model),
              },
            ]}
          />
          {!isPhone && (
            <Button icon={<FilePlus2 size={15} aria-hidden="true" />} data-add onClick={publish}>
              New version
            </Button>
          )}
          {isPhone ? <div className={styles.stuck}>{rebalance}</div> : rebalance}
        </div>
      )}
      {isRenamed && <RenameModel model={model} onClose={() => setIsRenamed(false)} />}
    </div>
  )
}
