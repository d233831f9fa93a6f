import { useQuery } from "@tanstack/react-query"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { ErrorNote } from "@/ui/states"
import { runClientsQuery } from "./queries"
import styles from "./book.module.css"
import type { Run } from "./types"
import { tilesInOrder, tileWords } from "./words"

/** The server sends at most this many rows a page. */
const MAX_ROWS = 200
/** Names shown here; the rest are in the table. */
const MAX_NAMES = 8

/** The clients who get no advice: a count for each tile, and the names of those the reviewer left out. */
export function LeftOut({ run, onShow }: { run: Run; onShow: () => void }) {
  const rows = useQuery(
    runClientsQuery(run._id, {
      page: 1,
      limit: MAX_ROWS,
      query: "",
      sort: "",
      show: "LEFT_OUT",
      client: "",
    }),
  )
  const number = run.totals.clients - run.totals.included
  if (number === 0) return <p className="quiet">No client is left out.</p>
  const byTile = tilesInOrder.flatMap((tile) => {
    const row = run.tiles.find((each) => each.tile === tile)
    const out = (row?.clients ?? 0) - (row?.included ?? 0)
    return out > 0 ? [`${count(out)} ${tileWords[tile].toLowerCase()}`] : []
  })
  const withNote = (rows.data?.data ?? []).filter(({ note }) => note !== "")
  return (
    <section className={styles.leftOut} aria-label="Left out">
      <div>
        <strong>{count(number)} left out</strong>
        <span>{byTile.join(" · ")}</span>
        <Button kind="subtle" onClick={onShow}>
          Show in the table
        </Button>
      </div>
      {rows.isError && <ErrorNote message="Failed to fetch data" onRetry={rows.refetch} />}
      {withNote.length > 0 && (
        <ul>
          {withNote.slice(0, MAX_NAMES).map((row) => (
            <li key={row._id}>
              {row.clientId} {row.name}: <span className="quiet">{row.note}</span>
            </li>
          ))}
          {withNote.length > MAX_NAMES && <li>and {count(withNote.length - MAX_NAMES)} more</li>}
        </ul>
      )}
    </section>
  )
}
