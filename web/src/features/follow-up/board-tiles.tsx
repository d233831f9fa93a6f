import { rupees, shortRupees } from "@/lib/format"
import { stateWords, statesInOrder } from "@/parts/follow-up"
import { type CountChoice, CountFilter } from "@/ui/table/count-filter"
import type { BoardView, Tile } from "./queries"

interface BoardTilesProps {
  tiles: Tile[] | undefined
  shown: BoardView["state"]
  onShow: (state: BoardView["state"]) => void
}

const sumOf = (tiles: Tile[], figure: "count" | "advisedValue" | "filledValue") =>
  tiles.reduce((sum, tile) => sum + tile[figure], 0)

const toneOf = (state: keyof typeof stateWords) => {
  const [, tone] = stateWords[state]
  return tone === "gain" || tone === "warn" || tone === "loss" ? tone : undefined
}

function choiceOf<Choice extends string>(
  choice: Choice,
  label: string,
  tiles: Tile[] | undefined,
): CountChoice<Choice> {
  if (!tiles) return { choice, label, count: undefined }
  const [advised, filled] = [sumOf(tiles, "advisedValue"), sumOf(tiles, "filledValue")]
  return {
    choice,
    label,
    count: sumOf(tiles, "count"),
    note: shortRupees(advised),
    title: `${rupees(advised)} advised, ${rupees(filled)} of it traded`,
  }
}

/** The advice in each state, with its number and its rupees; a press shows that alone. */
export function BoardTiles({ tiles, shown, onShow }: BoardTilesProps) {
  const choices: CountChoice<BoardView["state"]>[] = [
    choiceOf("", "All", tiles),
    ...statesInOrder.map((state) => ({
      ...choiceOf(
        state,
        stateWords[state][0],
        tiles?.filter((tile) => tile.state === state),
      ),
      tone: toneOf(state),
    })),
  ]
  return <CountFilter label="Show advice" choices={choices} shown={shown} onShow={onShow} />
}
