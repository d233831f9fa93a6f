import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Check, Plus, X } from "lucide-react"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { count } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { SearchField } from "@/ui/table/search-field"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import { codesIn } from "./codes"
import styles from "./models.module.css"
import { candidatesQuery, useChangeSubscribers } from "./queries"
import type { Candidate, Model } from "./types"

/** Most codes that are looked up from one paste. */
const MOST_CODES = 200

interface AddSubscribersProps {
  model: Model
  onClose: () => void
}

/** Chooses clients one by one, or many by a paste of their codes; all are added at once. */
export function AddSubscribers({ model, onClose }: AddSubscribersProps) {
  const [query, setQuery] = useState("")
  const [chosen, setChosen] = useState<Candidate[]>([])
  const { isReading, unknown, readCodes } = useCodes((found) =>
    setChosen((old) => [
      ...old,
      ...found.filter((one) => !old.some((each) => each._id === one._id)),
    ]),
  )
  const search = useQuery(candidatesQuery(query))
  const change = useChangeSubscribers(model._id)
  const toggle = (client: Candidate) =>
    setChosen((old) =>
      old.some((each) => each._id === client._id)
        ? old.filter((each) => each._id !== client._id)
        : [...old, client],
    )
  const add = () =>
    change.mutate(
      { add: chosen.map(({ _id }) => ({ clientId: _id, investmentValue: null })) },
      {
        onSuccess: () => {
          toast.success(
            `${count(chosen.length)} ${chosen.length === 1 ? "client follows" : "clients follow"} ${model.name}`,
          )
          onClose()
        },
        onError: (error) => toast.error(messageOf(error, "Something went wrong")),
      },
    )
  return (
    <Modal
      title={`Add subscribers to ${model.name}`}
      isOpen
      onClose={onClose}
      isDirty={chosen.length > 0}
      width={560}
    >
      <div
        className={styles.form}
        onPaste={(event) => {
          const codes = codesIn(event.clipboardData.getData("text"))
          if (codes.length < 2) return
          event.preventDefault()
          void readCodes(codes.slice(0, MOST_CODES))
        }}
      >
        <SearchField
          label="Search clients"
          placeholder="Name or code; a list of codes can be pasted"
          value={query}
          isSearching={search.isFetching || isReading}
          width="100%"
          onSearch={setQuery}
        />
        <ul className={styles.found} aria-label="Clients found">
          {search.isError && (
            <li>
              <ErrorNote message="Failed to fetch data" onRetry={search.refetch} />
            </li>
          )}
          {search.isPending && (
            <li>
              <Loading />
            </li>
          )}
          {search.data?.map((client) => (
            <Found
              key={client._id}
              client={client}
              model={model}
              isChosen={chosen.some(({ _id }) => _id === client._id)}
              onToggle={() => toggle(client)}
            />
          ))}
          {search.data?.length === 0 && (
            <li>
              <EmptyState title="No Data Available" hint="No active client matches." />
            </li>
          )}
        </ul>
        {unknown.length > 0 && (
          <p className="loss" role="alert">
            Left out, being unknown, not active or of another model: {unknown.join(", ")}
          </p>
        )}
        {chosen.length > 0 && (
          <ul className={styles.chips} aria-label="Chosen clients">
            {chosen.map((client) => (
              <li key={client._id}>
                {client.clientId} {client.name}
                <IconButton
                  label={`Leave out ${client.name}`}
                  icon={<X size={13} aria-hidden="true" />}
                  onClick={() => toggle(client)}
                />
              </li>
            ))}
          </ul>
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={chosen.length === 0 || isReading}
            isBusy={change.isPending}
            onClick={add}
          >
            {chosen.length > 0 ? `Add ${count(chosen.length)}` : "Add"}
          </Button>
        </Actions>
      </div>
    </Modal>
  )
}

interface FoundProps {
  client: Candidate
  model: Model
  isChosen: boolean
  onToggle: () => void
}

function Found({ client, model, isChosen, onToggle }: FoundProps) {
  const isTaken = client.modelId !== null
  return (
    <li>
      <button type="button" aria-pressed={isChosen} disabled={isTaken} onClick={onToggle}>
        <span className={styles.code}>{client.clientId}</span>
        <span className={styles.long}>{client.name}</span>
        {isTaken ? (
          <span className={styles.quiet}>
            {client.modelId === model._id ? "Follows already" : `Follows ${client.modelName ?? ""}`}
          </span>
        ) : isChosen ? (
          <Check size={16} className="gain" aria-hidden="true" />
        ) : (
          <Plus size={16} aria-hidden="true" />
        )}
      </button>
    </li>
  )
}

/** Looks up pasted codes one after the other; tells those that can not be added. */
function useCodes(onFound: (clients: Candidate[]) => void) {
  const cache = useQueryClient()
  const [isReading, setIsReading] = useState(false)
  const [unknown, setUnknown] = useState<string[]>([])
  const readCodes = async (codes: string[]) => {
    setIsReading(true)
    const found: Candidate[] = []
    const missed: string[] = []
    try {
      for (const code of codes) {
        const answers = await cache.query(candidatesQuery(code))
        const client = answers.find((each) => each.clientId === code)
        if (client && client.modelId === null) found.push(client)
        else missed.push(code)
      }
    } catch (error) {
      toast.error(messageOf(error, "Failed to fetch data"))
    } finally {
      setIsReading(false)
    }
    onFound(found)
    setUnknown(missed)
  }
  return { isReading, unknown, readCodes }
}
