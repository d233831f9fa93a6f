import { Link, useNavigate } from "@tanstack/react-router"
import { Layers } from "lucide-react"
import { useState } from "react"
import { newIdempotencyKey } from "@/api/client"
import { count } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { type BoardView, type FollowUpRuns, useDraftAll } from "./queries"
import styles from "./follow-up.module.css"

const counted = (number: number, singular: string) =>
  `${count(number)} ${singular}${number === 1 ? "" : "s"}`

/** Begins rebalances of the book over all advice that the filters show. */
export function DraftAll({ view, total }: { view: BoardView; total: number }) {
  const draft = useDraftAll()
  const navigate = useNavigate()
  const [begun, setBegun] = useState<FollowUpRuns | null>(null)
  const start = async () => {
    const isSure = await confirm({
      title: `Draft follow-ups for ${counted(total, "advice")}?`,
      text: "What is left is computed at fresh prices, as one rebalance of the book for each model. Nothing is sent before you review it.",
      act: "Draft",
    })
    if (!isSure) return
    draft.mutate(
      { view, key: newIdempotencyKey() },
      {
        onSuccess: (runs) => {
          const [run] = runs.runs
          if (run && runs.runs.length === 1 && runs.leftOut.length === 0)
            void navigate({ to: "/home/models/book/$runId", params: { runId: run._id } })
          else setBegun(runs)
        },
        onError: toastError,
      },
    )
  }
  return (
    <>
      <Button
        kind="primary"
        icon={<Layers size={15} />}
        isBusy={draft.isPending}
        disabled={total === 0}
        onClick={() => void start()}
      >
        Draft for all shown
      </Button>
      {begun && <Begun runs={begun} onClose={() => setBegun(null)} />}
    </>
  )
}

/** The rebalances that were begun, and the clients whom none of them computes. */
function Begun({ runs: { runs, leftOut }, onClose }: { runs: FollowUpRuns; onClose: () => void }) {
  return (
    <Modal title="Follow-ups" isOpen onClose={onClose} width={560}>
      <div className={styles.runs}>
        {runs.length === 0 && <p>No rebalance was started: every client is left out.</p>}
        {runs.length > 0 && (
          <ul aria-label="Rebalances started">
            {runs.map((run) => (
              <li key={run._id}>
                <Link to="/home/models/book/$runId" params={{ runId: run._id }}>
                  {run.modelName}
                </Link>
                <small>{counted(run.clients, "client")}</small>
              </li>
            ))}
          </ul>
        )}
        {leftOut.length > 0 && (
          <>
            <strong>{counted(leftOut.length, "client")} left out</strong>
            <ul aria-label="Clients left out">
              {leftOut.map((client) => (
                <li key={client.userId}>
                  {client.name} <small>{client.clientId}</small> <small>{client.reason}</small>
                </li>
              ))}
            </ul>
          </>
        )}
        <Actions>
          <Button data-autofocus onClick={onClose}>
            Close
          </Button>
        </Actions>
      </div>
    </Modal>
  )
}
