import { TextInput } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { stocksQuery } from "@/api/shared-queries"
import type { StockPickerProps } from "@/parts/stock-picker"
import { lazyComponent } from "@/ui/lazy-component"
import styles from "./advice.module.css"
import { addStock, type FoundStock } from "./row-changes"

const StockPicker = lazyComponent<StockPickerProps<FoundStock & { name: string }>>(
  () => import("@/parts/stock-picker"),
  () => (
    <TextInput
      aria-label="Search stock to add"
      placeholder="Search stock to add (2+ letters)"
      disabled
    />
  ),
)

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
        stocks={search.isError ? [] : (search.data ?? [])}
        isSearching={search.isFetching}
        onPick={addStock}
      />
    </div>
  )
}
