import { useQuery } from "@tanstack/react-query"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { ErrorNote } from "@/ui/states"
import { runClientsQuery } from "./book-queries"
import { tilesInOrder, tileWords } from "./book-words"
import styles from "./models.module.css"
import type { Run } from "./types"

/** Most rows that a page of the server has. */
const MOST = 200
/** As many names as one reads; the rest are in the table. */
const NAMED = 8

/** Who gets nothing: how many of each tile, and by name those who were left out by hand. */
export function LeftOut({ run, onShow }: { run: Run; onShow: () => void }) {
  const rows = useQuery(
    runClientsQuery(run._id, {
      page: 1,
      limit: MOST,
      query: "",
      sort: "",
      show: "LEFT_OUT",
      client: "",
    }),
  )
  const number = run.totals.clients - run.totals.included
  if (number === 0) return <p className={styles.quiet}>Nobody is left out.</p>
  const byTile = tilesInOrder.flatMap((tile) => {
    const found = run.tiles.find((each) => each.tile === tile)
    const out = (found?.clients ?? 0) - (found?.included ?? 0)
    return out > 0 ? [`${count(out)} ${tileWords[tile].toLowerCase()}`] : []
  })
  const byHand = (rows.data?.data ?? []).filter(({ note }) => note !== "")
  return (
    <section className={styles.leftOut} aria-label="Left out">
      <div>
        <strong>{count(number)} left out</strong>
        <span>{byTile.join(" · ")}</span>
        <Button kind="subtle" onClick={onShow}>
          Show them
        </Button>
      </div>
      {rows.isError && <ErrorNote message="Failed to fetch data" onRetry={rows.refetch} />}
      {byHand.length > 0 && (
        <ul>
          {byHand.slice(0, NAMED).map((row) => (
            <li key={row._id}>
              {row.clientId} {row.name}: <span className={styles.quiet}>{row.note}</span>
            </li>
          ))}
          {byHand.length > NAMED && <li>and {count(byHand.length - NAMED)} more by hand</li>}
        </ul>
      )}
    </section>
  )
}
