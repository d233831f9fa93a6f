import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { restrictionsQuery } from "@/api/shared-queries"
import { restrictionWords } from "@/lib/restriction-words"
import { ActionPending } from "@/parts/action-pending"
import { StatusPill } from "@/ui/status-pill"
import styles from "./advice.module.css"
import { useDraft } from "./draft"
import { type AdviceRow, keyOf } from "./targets"

/** The client's restrictions by the row's key. */
export type Restrictions = ReadonlyMap<string, { words: string; reason: string }>

const none: Restrictions = new Map()

/** The restrictions of the draft's client; none while they load. */
export function useRestrictions(): Restrictions {
  const clientId = useDraft().client?.id ?? ""
  const { data } = useQuery({ ...restrictionsQuery(clientId), enabled: clientId !== "" })
  return useMemo(() => {
    if (!data || clientId === "") return none
    return new Map(
      data.restrictions.map((each) => [
        keyOf(each),
        { words: restrictionWords(each), reason: each.reason },
      ]),
    )
  }, [data, clientId])
}

interface RowMarksProps {
  row: AdviceRow
  restrictions: Restrictions
}

/** The marks of a row: the stock is restricted, or shares of a corporate action are not credited. */
export function RowMarks({ row, restrictions }: RowMarksProps) {
  return (
    <>
      <Restricted row={row} restrictions={restrictions} />
      {row.isActionPending && (
        <span className={styles.restricted}>
          <ActionPending uncredited={row.uncredited ?? 0} />
        </span>
      )}
    </>
  )
}

/** Marks the row of a restricted stock. */
function Restricted({ row, restrictions }: RowMarksProps) {
  const restriction = restrictions.get(keyOf(row))
  if (!restriction) return null
  return (
    <span
      className={styles.restricted}
      title={restriction.reason === "" ? undefined : restriction.reason}
    >
      <StatusPill word={restriction.words} tone="warn" />
    </span>
  )
}
