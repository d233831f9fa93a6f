import { Combobox, useCombobox } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type ChangeEvent, type ReactNode, useEffect, useState } from "react"
import { clientsLikeQuery, SHORTEST_NAME } from "@/api/shared-queries"
import { Field } from "@/ui/form/fields"
import styles from "./client-code-field.module.css"

const DELAY = 300
/** "C", "c10", "1007": a code, or the beginning of one. */
const CODE_LIKE = /^\s*(c?\s*$|c?\d)/i
const LONE_C = /^\s*c$/i
const COMPLETE = /^C\d{4}$/

interface ClientCodeFieldProps {
  /** The code as typed so far. */
  code: string
  onCode: (code: string) => void
  rightSection?: ReactNode
}

/** A client's code: typed, or filled in by choosing a client whose name was typed. */
export function ClientCodeField({ code, onCode, rightSection }: ClientCodeFieldProps) {
  // A name being typed; the code stays as it is until a client is chosen.
  const [name, setName] = useState<string | null>(null)
  const [query, setQuery] = useState("")
  const list = useCombobox()
  const searchLater = useDebouncedCallback(setQuery, DELAY)
  const { data, isFetching } = useQuery({
    ...clientsLikeQuery(query),
    enabled: query.length >= SHORTEST_NAME,
    placeholderData: keepPreviousData,
  })
  const isAsked = name !== null && query.length >= SHORTEST_NAME
  const found = isAsked ? (data ?? []) : []
  const isSettled = isAsked && query === name.trim() && !isFetching
  const shown = found.map((client) => client.clientId).join(" ")
  useEffect(() => {
    // Enter chooses the first one.
    if (shown !== "") list.selectFirstOption()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each rendering has a new list object
  }, [shown])

  const leave = () => {
    searchLater.cancel()
    setName(null)
    setQuery("")
    list.closeDropdown()
  }
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    // Ctrl Z in the browser must not undo the code.
    const { inputType } = event.nativeEvent as InputEvent
    if (/^history/.test(inputType)) return
    const text = event.currentTarget.value
    // The first letter over a whole code may begin a name: the client stays until that is known.
    const mayBeName = LONE_C.test(text) && COMPLETE.test(code)
    if (CODE_LIKE.test(text) && !mayBeName) {
      leave()
      onCode(text)
      return
    }
    setName(text)
    searchLater(text.trim())
    list.openDropdown()
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
        <Field
          label="Client code"
          placeholder="C1007 or a name"
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={name ?? code}
          data-client-code
          onChange={type}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || name === null) return
            event.stopPropagation()
            leave()
          }}
          rightSection={rightSection}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0 && !isSettled}>
        <Combobox.Options aria-label="Clients found">
          {found.map((client) => (
            <Combobox.Option key={client._id} value={client.clientId} className={styles.client}>
              <span className={styles.name}>{client.name}</span>
              <span className={styles.code}>{client.clientId}</span>
            </Combobox.Option>
          ))}
          {isSettled && found.length === 0 && (
            <Combobox.Empty>No client has this name</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
