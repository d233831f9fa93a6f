import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { Plus } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import styles from "./stock-picker.module.css"

/** Search starts at two letters. */
export const SHORTEST_SEARCH = 2
const DELAY = 300

export interface Stock {
  symbol: string
  exchange: string
  name: string
}

export interface StockPickerProps<Found extends Stock> {
  label?: string
  placeholder?: string
  disabled?: boolean
  /** The debounced query. */
  query: string
  onQuery: (query: string) => void
  stocks: Found[]
  isSearching: boolean
  /** Adds a stock; the field is cleared unless it returns `false`. */
  onPick: (stock: Found) => Promise<boolean> | boolean
  error?: ReactNode
  "data-autofocus"?: boolean
  /** A labelled field of a form, without the `/` shortcut. */
  isField?: boolean
}

const keyOf = ({ exchange, symbol }: Stock) => `${exchange}:${symbol}`

/** Searches stocks from two letters on. `/` focuses it. */
export default function StockPicker<Found extends Stock>(props: StockPickerProps<Found>) {
  const { label = "Search stock to add", placeholder = `${label} (2+ letters)` } = props
  const { query, onQuery, isSearching, onPick, disabled, error, isField = false } = props
  const [text, setText] = useState("")
  const [isAdding, setIsAdding] = useState(false)
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const searchLater = useDebouncedCallback(onQuery, DELAY)

  const isAsked = query.length >= SHORTEST_SEARCH
  const stocks = isAsked ? props.stocks : []
  const isSettled = isAsked && query === text.trim() && !isSearching
  const shown = stocks.map(keyOf).join(" ")
  useEffect(() => {
    // Enter adds the first one.
    if (shown !== "") list.selectFirstOption()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each rendering has a new list object
  }, [shown])

  const clear = () => {
    searchLater.cancel()
    setText("")
    onQuery("")
    list.closeDropdown()
  }
  const pick = async (key: string) => {
    const stock = stocks.find((each) => keyOf(each) === key)
    if (!stock || isAdding) return
    setIsAdding(true)
    const isTaken = await onPick(stock)
    setIsAdding(false)
    if (isTaken) clear()
  }
  return (
    <Combobox
      store={list}
      onOptionSubmit={(key) => void pick(key)}
      transitionProps={{ duration: 0 }}
    >
      <Combobox.Target>
        <TextInput
          label={isField ? label : undefined}
          aria-label={isField ? undefined : label}
          placeholder={placeholder}
          data-search={isField ? undefined : true}
          data-autofocus={props["data-autofocus"]}
          disabled={disabled}
          error={error}
          maxLength={100}
          autoComplete="off"
          leftSection={<Plus size={15} aria-hidden="true" />}
          rightSection={
            (isAsked && isSearching) || isAdding ? (
              <Loader size={14} role="status" aria-label={isAdding ? "Adding" : "Searching"} />
            ) : null
          }
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            searchLater(event.currentTarget.value.trim())
            list.openDropdown()
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
      <Combobox.Dropdown hidden={!isAsked || (stocks.length === 0 && !isSettled)}>
        <Combobox.Options mah={320} className={styles.found} aria-label="Stocks found">
          {stocks.map((stock) => (
            <Combobox.Option key={keyOf(stock)} value={keyOf(stock)}>
              <strong className={styles.symbol}>{stock.symbol}</strong>{" "}
              <span className={styles.exchange}>{stock.exchange}</span>
              <span className={styles.name}>{stock.name}</span>
            </Combobox.Option>
          ))}
          {stocks.length === 0 && <Combobox.Empty>No stock found</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
