import { type CountChoice, CountFilter } from "@/ui/table/count-filter"
import type { Run } from "./types"
import { type ClientFilter, tilesInOrder, tileTones, tileWords } from "./words"

interface RunTilesProps {
  run: Run
  shown: ClientFilter
  onShow: (show: ClientFilter) => void
}

const toneOf = (tile: (typeof tilesInOrder)[number]) => {
  const tone = tileTones[tile]
  return tone === "gain" || tone === "warn" || tone === "loss" ? tone : undefined
}

/** Before the sending the clients by tile; afterwards by the outcome. */
const choicesOf = (run: Run, shown: ClientFilter): CountChoice<ClientFilter>[] => {
  const { clients, included } = run.totals
  const all: CountChoice<ClientFilter> = { choice: "", label: "All", count: clients }
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
      // The tile of faults is shown only when there are some.
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
