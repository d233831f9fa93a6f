import { Loader, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { useRouter } from "@tanstack/react-router"
import { Search, X } from "lucide-react"
import { useState } from "react"
import { IconButton } from "@/ui/button"
import { useIsPhone } from "@/ui/use-media"

interface SearchFieldProps {
  label: string
  placeholder?: string
  value: string
  /** Called 300 ms after the last key, and at once when the field is cleared. */
  onSearch: (query: string) => void
  isSearching?: boolean
  /** 280 px, and the whole line on a phone, unless given. */
  width?: number | string
}

const DELAY = 300

/** Whether the person has chosen another screen, which is still loading. */
function useIsLeaving() {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  return () => {
    const there = router?.state.resolvedLocation
    return there !== undefined && router?.state.location.pathname !== there.pathname
  }
}

/** A search box: searches when the typing pauses, shows a spinner meanwhile, Escape clears. `/` focuses it. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder = label, value, onSearch, isSearching = false } = props
  const isPhone = useIsPhone()
  const { width = isPhone ? "100%" : 280 } = props
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address may change the query (back, a shared link); what is being typed has priority.
  if (seen !== value) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  // The screen may render again before the delay is over: Mantine then calls the newest `onSearch`.
  const isLeaving = useIsLeaving()
  const searchLater = useDebouncedCallback((query: string) => {
    // A search would bring a person who just opened a row back to the list.
    if (!isLeaving()) onSearch(query)
  }, DELAY)

  const clear = () => {
    searchLater.cancel()
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
      leftSection={<Search size={15} />}
      rightSection={
        isSearching ? (
          <Loader size={14} role="status" aria-label="Searching" />
        ) : text === "" ? null : (
          <IconButton label="Clear search" icon={<X size={14} />} onClick={clear} />
        )
      }
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        searchLater(event.currentTarget.value.trim())
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
