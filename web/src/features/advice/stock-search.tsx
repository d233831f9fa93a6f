import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { debounce } from "@/lib/debounce"
import styles from "./advice.module.css"
import { SHORTEST_SEARCH, stocksQuery } from "./queries"
import { keyOf } from "./targets"
import { addStock } from "./use-advice"

const REST = 300

/** Finds a stock from two letters on and adds it to the table. `/` goes to it. */
export function StockSearch({ disabled }: { disabled: boolean }) {
  const [text, setText] = useState("")
  const [query, setQuery] = useState("")
  const [isAdding, setIsAdding] = useState(false)
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const later = useMemo(() => debounce(setQuery, REST), [])
  useEffect(() => later.cancel, [later])

  const isAsked = query.length >= SHORTEST_SEARCH
  const search = useQuery({ ...stocksQuery(query), placeholderData: keepPreviousData })
  const found = isAsked && !search.isError ? (search.data ?? []) : []
  const isSettled = isAsked && query === text.trim() && !search.isFetching

  const clear = () => {
    later.cancel()
    setText("")
    setQuery("")
    list.closeDropdown()
  }
  const add = async (key: string) => {
    const stock = found.find((each) => keyOf({ ...each, tradingSymbol: each.symbol }) === key)
    if (!stock || isAdding) return
    setIsAdding(true)
    const isAdded = await addStock(stock)
    setIsAdding(false)
    if (isAdded) clear()
  }
  return (
    <div className={styles.search}>
      <Combobox
        store={list}
        onOptionSubmit={(key) => void add(key)}
        transitionProps={{ duration: 0 }}
      >
        <Combobox.Target>
          <TextInput
            aria-label="Search stock to add"
            placeholder="Search stock to add (2+ letters)"
            data-search
            disabled={disabled}
            maxLength={100}
            autoComplete="off"
            leftSection={<Plus size={15} aria-hidden="true" />}
            rightSection={
              (isAsked && search.isFetching) || isAdding ? (
                <Loader size={14} role="status" aria-label={isAdding ? "Adding" : "Searching"} />
              ) : null
            }
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              later(event.currentTarget.value.trim())
              list.openDropdown()
              list.updateSelectedOptionIndex()
            }}
            onFocus={() => list.openDropdown()}
            onBlur={() => list.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === "Escape" && text !== "") {
                event.stopPropagation()
                clear()
              }
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isAsked || (found.length === 0 && !isSettled)}>
          <Combobox.Options mah={320} className={styles.found}>
            {found.map(({ symbol, exchange, name }) => (
              <Combobox.Option
                key={`${exchange}:${symbol}`}
                value={keyOf({ tradingSymbol: symbol, exchange })}
              >
                <strong className={styles.symbol}>{symbol}</strong>{" "}
                <span className={styles.exchange}>{exchange}</span>
                <span className={styles.foundName}>{name}</span>
              </Combobox.Option>
            ))}
            {found.length === 0 && <Combobox.Empty>No stock found</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  )
}
