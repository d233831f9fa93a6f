import { Link, useNavigate } from "@tanstack/react-router"
import { Ban, Ellipsis, RefreshCw, Send } from "lucide-react"
import { age, dateTime } from "@/lib/dates"
import { missing, percent } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { ButtonMenu } from "@/ui/overlay/menu"
import { StickyAction } from "@/ui/sticky-action"
import { TitleRow } from "@/ui/title-row"
import { useSecond } from "@/ui/use-second"
import { RunStatePill } from "./run-columns"
import { optionWords } from "./run-options"
import type { Run } from "./types"
import { useRecompute } from "./use-recompute"
import { useStopRun } from "./use-stop-run"

/** The summary of the run, and its actions. */
export function RunHead({ run, onReview }: { run: Run; onReview: () => void }) {
  const navigate = useNavigate()
  const model = (
    <>
      <Link to="/home/models/$modelId" params={{ modelId: run.modelId }}>
        {run.modelName}
      </Link>{" "}
      <span className="quiet">version {run.versionNumber}</span>
    </>
  )
  return (
    <TitleRow
      backLabel="All rebalances"
      onBack={() => void navigate({ to: "/home/models/book" })}
      subject={[
        ["Model", model],
        ["Prices as of", <Prices key="prices" run={run} />],
        ["Tolerance", percent(run.tolerancePercentage)],
        ["Outside the model", run.outside === "KEEP" ? "Kept" : "Sold"],
        ["Options", optionWords(run)],
        [
          run.sentBy === null ? "Started by" : "Sent by",
          run.sentBy ?? run.author,
          dateTime(run.sentAt ?? run.createdAt),
        ],
      ]}
      actions={
        <>
          <RunMenu run={run} />
          {run.state === "REVIEW" && (
            <StickyAction>
              <Button
                kind="primary"
                icon={<Send size={15} />}
                disabled={run.totals.included === 0}
                title={run.totals.included === 0 ? "No client is included." : undefined}
                onClick={onReview}
              >
                Review and send
              </Button>
            </StickyAction>
          )}
        </>
      }
    >
      <RunStatePill run={run} />
    </TitleRow>
  )
}

/** One set of prices for all clients; during the review their age matters. */
function Prices({ run }: { run: Run }) {
  const now = useSecond()
  if (run.pricedAt === null) return missing
  const oldest =
    run.oldestPriceAt === null
      ? undefined
      : `Oldest: ${run.oldestPriceSymbol ?? missing}, ${dateTime(run.oldestPriceAt)}`
  if (run.state !== "REVIEW") return <span title={oldest}>{dateTime(run.pricedAt)}</span>
  const isOld = run.pricesGoodUntil !== null && new Date(run.pricesGoodUntil) < now
  return (
    <span title={oldest} className={isOld ? "warn" : undefined}>
      {age(run.pricedAt, now)}
      {isOld && ", too old to send"}
    </span>
  )
}

function RunMenu({ run }: { run: Run }) {
  const recompute = useRecompute(run)
  const stop = useStopRun(run)
  const isSending = run.state === "SENDING"
  const canStop = isSending || run.state === "REVIEW" || run.state === "COMPUTING"
  return (
    <ButtonMenu
      label="More"
      button={<IconButton framed label="More" icon={<Ellipsis size={16} />} />}
      entries={[
        {
          label: "Compute again",
          icon: <RefreshCw size={15} />,
          disabled: isSending || recompute.isPending,
          onSelect: recompute.start,
        },
        {
          label: isSending ? "Stop sending" : "Cancel this rebalance",
          icon: <Ban size={15} />,
          isDanger: true,
          disabled: !canStop,
          onSelect: () => void stop(),
        },
      ]}
    />
  )
}
