import { age, dateTime } from "@/lib/dates"
import { missing } from "@/lib/format"
import { StatCard } from "@/ui/stat-card"
import { useSecond } from "@/ui/use-second"

interface LastSyncedProps {
  /** An instant, or the word `live`; null before the first sync. */
  at: string | null | undefined
  isLoading: boolean
}

/** How old the broker's figures are; the age ticks. */
export function LastSynced({ at, isLoading }: LastSyncedProps) {
  return (
    <StatCard
      label="Last Synced"
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
