import { Combobox, useCombobox } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { clientsLikeQuery, SHORTEST_NAME } from "@/api/shared-queries"
import { type CodeSearchProps, CodeInput } from "./client-code-input"
import styles from "./client-code-field.module.css"

const DELAY = 300

/** The client code's field with the list of the clients whose name is being typed. */
export default function ClientCodeSearch({ onName, fieldBefore, ...props }: CodeSearchProps) {
  const { name, onCode } = props
  const [query, setQuery] = useState(name?.trim() ?? "")
  const list = useCombobox({ defaultOpened: name !== null })
  const searchLater = useDebouncedCallback(setQuery, DELAY)
  const { data, isFetching } = useQuery({
    ...clientsLikeQuery(query),
    enabled: query.length >= SHORTEST_NAME,
    placeholderData: keepPreviousData,
  })
  const isAsked = name !== null && query.length >= SHORTEST_NAME
  const clients = isAsked ? (data ?? []) : []
  const isSettled = isAsked && query === name.trim() && !isFetching
  const shown = clients.map((client) => client.clientId).join(" ")
  useEffect(() => {
    // Enter chooses the first one.
    if (shown !== "") list.selectFirstOption()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each rendering has a new list object
  }, [shown])
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const field = input.current
    const before = fieldBefore()
    // It takes the place of the field in which somebody types already, or has selected the code to replace it.
    if (!field || !before) return
    const { selectionStart, selectionEnd } = before
    field.focus({ preventScroll: true })
    field.setSelectionRange(selectionStart, selectionEnd)
  }, [fieldBefore])

  const leave = () => {
    searchLater.cancel()
    onName(null)
    setQuery("")
    list.closeDropdown()
  }
  return (
    <Combobox
      store={list}
      width={300}
      position="bottom-start"
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(chosen) => {
        leave()
        onCode(chosen)
      }}
    >
      <Combobox.Target>
        <CodeInput
          {...props}
          ref={input}
          onName={(text) => {
            onName(text)
            searchLater(text.trim())
            list.openDropdown()
          }}
          onLeave={leave}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={clients.length === 0 && !isSettled}>
        <Combobox.Options aria-label="Clients found">
          {clients.map((client) => (
            <Combobox.Option key={client._id} value={client.clientId} className={styles.client}>
              <span className={styles.name}>{client.name}</span>
              <span className={styles.code}>{client.clientId}</span>
            </Combobox.Option>
          ))}
          {isSettled && clients.length === 0 && (
            <Combobox.Empty>No client has this name</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
