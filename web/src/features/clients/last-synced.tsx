import type { ReactNode } from "react"
import { age, dateTime } from "@/lib/dates"
import { missing } from "@/lib/format"
import { StatCard } from "@/ui/stat-card"
import { useSecond } from "@/ui/use-second"

interface LastSyncedProps {
  /** An instant, or the word `live`; null before the first sync. */
  at: string | null | undefined
  isLoading: boolean
  /** The button beside the label, where there is something to sync with. */
  action?: ReactNode
}

/** How old the broker's figures are; the age ticks. */
export function LastSynced({ at, isLoading, action }: LastSyncedProps) {
  return (
    <StatCard
      label="Last Synced"
      action={action}
      isLoading={isLoading}
      value={
        at === "live" ? (
          <span className="gain">Live</span>
        ) : at ? (
          <Age at={at} />
        ) : (
          <span className="muted">{missing}</span>
        )
      }
      context={at === "live" ? "Broker session is valid" : at ? dateTime(at) : "Never synced"}
    />
  )
}

function Age({ at }: { at: string }) {
  return <span className="loss">{age(at, useSecond())}</span>
}
