import { Loader, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { useRouter } from "@tanstack/react-router"
import { Search, X } from "lucide-react"
import { useState } from "react"
import { IconButton } from "@/ui/button"

interface SearchFieldProps {
  label: string
  placeholder?: string
  value: string
  /** Called 300 ms after the last key, and at once when the field is cleared. */
  onSearch: (query: string) => void
  isSearching?: boolean
  width?: number | string
}

const REST = 300

/** Whether another screen was chosen and is being loaded; this one stands until it is there. */
function useIsLeaving() {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  return () => {
    const there = router?.state.resolvedLocation
    return there !== undefined && router?.state.location.pathname !== there.pathname
  }
}

/** A search box: waits for a rest in the typing, turns while it looks, Escape clears. `/` goes to it. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder = label, value, onSearch, isSearching = false, width = 280 } = props
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address may change the query (back, a shared link); typing goes before it.
  if (seen !== value) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  // The screen may be drawn anew while the typing rests, with another `onSearch`: what was typed still counts.
  const isLeaving = useIsLeaving()
  const later = useDebouncedCallback((query: string) => {
    // Who opened a row meanwhile is on the way to it: a search would call them back.
    if (!isLeaving()) onSearch(query)
  }, REST)

  const clear = () => {
    later.cancel()
    setText("")
    onSearch("")
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      data-search
      maxLength={100}
      autoComplete="off"
      w={width}
      maw="100%"
      leftSection={<Search size={15} aria-hidden="true" />}
      rightSection={
        isSearching ? (
          <Loader size={14} role="status" aria-label="Searching" />
        ) : text === "" ? null : (
          <IconButton
            label="Clear search"
            icon={<X size={14} aria-hidden="true" />}
            onClick={clear}
          />
        )
      }
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        later(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && text !== "") {
          event.stopPropagation()
          clear()
        }
      }}
    />
  )
}
