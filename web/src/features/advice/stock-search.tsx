import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { stocksQuery } from "@/api/shared-queries"
import { StockPicker } from "@/parts/stock-picker"
import styles from "./advice.module.css"
import { addStock } from "./row-changes"

/** Searches stocks from two letters on and adds the chosen one to the table. `/` focuses it. */
export function StockSearch({ disabled }: { disabled: boolean }) {
  const [query, setQuery] = useState("")
  const search = useQuery({ ...stocksQuery(query), placeholderData: keepPreviousData })
  return (
    <div className={styles.search}>
      <StockPicker
        disabled={disabled}
        query={query}
        onQuery={setQuery}
        found={search.isError ? [] : (search.data ?? [])}
        isSearching={search.isFetching}
        onPick={addStock}
      />
    </div>
  )
}
