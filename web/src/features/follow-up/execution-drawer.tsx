import { Drawer } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { ChevronLeft, ChevronRight, X } from "lucide-react"
import { date } from "@/lib/dates"
import { executionQuery, type FollowUpRow } from "@/parts/follow-up"
import { IconButton } from "@/ui/button"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import { ErrorNote, Loading } from "@/ui/states"
import { useIsPhone } from "@/ui/use-media"
import { AdviceActs } from "./advice-acts"
import { ClientAnswers } from "./client-answers"
import { ExecutionFacts } from "./execution-facts"
import { ExecutionLines } from "./execution-lines"
import styles from "./follow-up.module.css"

interface ExecutionDrawerProps {
  adviceId: string
  /** The rows of the board, to step through. */
  rows: FollowUpRow[]
  onAdvice: (adviceId: string) => void
}

/** What became of one advice: its figures, each line with its trades, and what the client answered. */
export function ExecutionDrawer({ adviceId, rows, onAdvice }: ExecutionDrawerProps) {
  useFocusReturn()
  const isPhone = useIsPhone()
  const query = useQuery(executionQuery(adviceId))
  const execution = query.data
  const place = rows.findIndex((row) => row._id === adviceId)
  const row = rows[place]
  const step = (by: number) => {
    const next = rows[place + by]
    if (next) onAdvice(next._id)
  }
  const close = () => onAdvice("")
  return (
    <Drawer.Root
      opened
      onClose={close}
      position="right"
      size={isPhone ? "100%" : 920}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label={row ? `Follow-up of ${row.name}` : "Follow-up"}>
        <div className={styles.drawer}>
          <div className={styles.drawerHead}>
            <h2 tabIndex={-1} data-autofocus>
              {row?.name ?? "Advice"}{" "}
              <span className="quiet">
                {row?.clientId} {execution && `· advice of ${date(execution.sentAt)}`}
              </span>
            </h2>
            <span className={styles.drawerButtons}>
              <IconButton
                label="Previous advice"
                icon={<ChevronLeft size={16} />}
                disabled={place <= 0}
                onClick={() => step(-1)}
              />
              <IconButton
                label="Next advice"
                icon={<ChevronRight size={16} />}
                disabled={place === -1 || place >= rows.length - 1}
                onClick={() => step(1)}
              />
              <IconButton label="Close" icon={<X size={18} />} onClick={close} />
            </span>
          </div>
          {query.isPending && <Loading />}
          {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
          {execution && (
            <>
              {row && <AdviceActs row={row} />}
              <ExecutionFacts execution={execution} />
              <section>
                <h3>Lines</h3>
                <ExecutionLines key={adviceId} lines={execution.lines} />
              </section>
              <section>
                <h3>Client’s answers</h3>
                <ClientAnswers execution={execution} />
              </section>
            </>
          )}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
