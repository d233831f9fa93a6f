import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { stocksQuery } from "@/api/shared-queries"
import { Screen } from "@/ui/card"
import StockPicker from "./stock-picker"

/** A stock as forms name it to the server. */
export interface ChosenStock {
  tradingSymbol: string
  exchange: string
  isin: string
  name: string
  instrumentToken: number
}

interface StockChoiceProps {
  stock: Omit<ChosenStock, "instrumentToken"> | null
  error: string | undefined
  onStock: (stock: ChosenStock) => void
}

/** The field of a form that chooses one stock, with the chosen one below. */
export function StockChoice({ stock, error, onStock }: StockChoiceProps) {
  const [query, setQuery] = useState("")
  const search = useQuery({ ...stocksQuery(query), placeholderData: keepPreviousData })
  return (
    <Screen>
      <StockPicker
        label="Stock"
        placeholder="Search stock (2+ letters)"
        data-autofocus
        isField
        query={query}
        onQuery={setQuery}
        stocks={search.isError ? [] : (search.data ?? [])}
        isSearching={search.isFetching}
        error={error}
        onPick={({ symbol, exchange, isin, name, instrumentToken }) => {
          onStock({ tradingSymbol: symbol, exchange, isin, name, instrumentToken })
          return true
        }}
      />
      {stock && (
        <p>
          <strong>{stock.tradingSymbol}</strong>{" "}
          <span className="quiet">
            {stock.exchange} · {stock.name}
          </span>
        </p>
      )}
    </Screen>
  )
}
