import { type CountChoice, CountFilter } from "@/ui/table/count-filter"
import type { Show } from "./book-queries"
import { tilesInOrder, tileTones, tileWords } from "./book-words"
import type { Run } from "./types"

interface RunTilesProps {
  run: Run
  shown: Show
  onShow: (show: Show) => void
}

const toneOf = (tile: (typeof tilesInOrder)[number]) => {
  const tone = tileTones[tile]
  return tone === "gain" || tone === "warn" || tone === "loss" ? tone : undefined
}

/** Before the sending why each client stands where it does; afterwards what became of each. */
const choicesOf = (run: Run, shown: Show): CountChoice<Show>[] => {
  const { clients, included } = run.totals
  const all: CountChoice<Show> = { choice: "", label: "All", count: clients }
  if (run.sending.total > 0) {
    const { queued, sent, changed, failed, total } = run.sending
    const stopped = Math.max(0, total - queued - sent - changed - failed)
    return [
      all,
      { choice: "SENT", label: "Sent", count: sent, tone: "gain" },
      { choice: "QUEUED", label: "Waiting", count: queued, tone: "warn" },
      { choice: "CHANGED", label: "Changed since", count: changed, tone: "warn" },
      { choice: "FAILED", label: "Failed", count: failed, tone: "loss" },
      ...(stopped > 0
        ? [{ choice: "CANCELLED", label: "Cancelled", count: stopped } as const]
        : []),
      { choice: "LEFT_OUT", label: "Left out", count: clients - included },
    ]
  }
  const counts = new Map(run.tiles.map(({ tile, clients: number }) => [tile, number]))
  return [
    all,
    ...tilesInOrder
      // A fault is no outcome to look out for: its tile is there when one happened.
      .filter((tile) => tile !== "FAULT" || tile === shown || (counts.get(tile) ?? 0) > 0)
      .map((tile) => ({
        choice: tile,
        label: tileWords[tile],
        count: counts.get(tile) ?? 0,
        tone: toneOf(tile),
      })),
  ]
}

export function RunTiles({ run, shown, onShow }: RunTilesProps) {
  return (
    <CountFilter
      label="Show clients"
      choices={choicesOf(run, shown)}
      shown={shown}
      onShow={onShow}
    />
  )
}
