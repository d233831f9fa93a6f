import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Check, Plus, X } from "lucide-react"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { count } from "@/lib/format"
import type { Model } from "@/parts/models"
import { toastError } from "@/parts/toast-error"
import { Button, IconButton } from "@/ui/button"
import { Screen } from "@/ui/card"
import { Actions } from "@/ui/overlay/confirm"
import { Modal } from "@/ui/overlay/modal"
import { LongText } from "@/ui/long-text"
import { SearchField } from "@/ui/table/search-field"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import styles from "./models.module.css"
import { codesIn } from "@/parts/pasted-rows"
import { candidatesQuery, useChangeSubscribers } from "./queries"
import type { Candidate } from "./types"

/** At most this many codes are looked up from one paste. */
const MAX_CODES = 200

interface AddSubscribersProps {
  model: Model
  onClose: () => void
}

/** Chooses clients by search or by a pasted list of codes, and adds all of them at once. */
export function AddSubscribers({ model, onClose }: AddSubscribersProps) {
  const [chosen, setChosen] = useState<Candidate[]>([])
  const { isReading, unknown, readCodes } = useCodes((clients) =>
    setChosen((old) => [...old, ...clients.filter((client) => !isIn(old, client))]),
  )
  const change = useChangeSubscribers(model._id)
  const toggle = (client: Candidate) =>
    setChosen((old) =>
      isIn(old, client) ? old.filter((each) => each._id !== client._id) : [...old, client],
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
        onError: toastError,
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
        onPaste={(event) => {
          const codes = codesIn(event.clipboardData.getData("text"))
          if (codes.length < 2) return
          event.preventDefault()
          void readCodes(codes.slice(0, MAX_CODES))
        }}
      >
        <Screen>
          <Search model={model} chosen={chosen} isReading={isReading} onToggle={toggle} />
          {unknown.length > 0 && (
            <p className="loss" role="alert">
              Not added (unknown, not active, or following another model): {unknown.join(", ")}
            </p>
          )}
          {chosen.length > 0 && <Chosen clients={chosen} onRemove={toggle} />}
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
        </Screen>
      </div>
    </Modal>
  )
}

const isIn = (clients: Candidate[], { _id }: Candidate) =>
  clients.some((client) => client._id === _id)

interface SearchProps {
  model: Model
  chosen: Candidate[]
  isReading: boolean
  onToggle: (client: Candidate) => void
}

function Search({ model, chosen, isReading, onToggle }: SearchProps) {
  const [query, setQuery] = useState("")
  const search = useQuery(candidatesQuery(query))
  return (
    <>
      <SearchField
        label="Search clients"
        placeholder="Name, code or a pasted list of codes"
        value={query}
        isSearching={search.isFetching || isReading}
        width="100%"
        onSearch={setQuery}
      />
      <ul className={styles.results} aria-label="Clients found">
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
          <Result
            key={client._id}
            client={client}
            model={model}
            isChosen={isIn(chosen, client)}
            onToggle={() => onToggle(client)}
          />
        ))}
        {search.data?.length === 0 && (
          <li>
            <EmptyState title="No Data Available" hint="No active client matches." />
          </li>
        )}
      </ul>
    </>
  )
}

interface ResultProps {
  client: Candidate
  model: Model
  isChosen: boolean
  onToggle: () => void
}

function Result({ client, model, isChosen, onToggle }: ResultProps) {
  const isTaken = client.modelId !== null
  return (
    <li>
      <button type="button" aria-pressed={isChosen} disabled={isTaken} onClick={onToggle}>
        <span className={styles.code}>{client.clientId}</span>
        <LongText>{client.name}</LongText>
        {isTaken ? (
          <span className="quiet">
            {client.modelId === model._id ? "Already follows" : `Follows ${client.modelName ?? ""}`}
          </span>
        ) : isChosen ? (
          <Check size={16} className="gain" />
        ) : (
          <Plus size={16} />
        )}
      </button>
    </li>
  )
}

interface ChosenProps {
  clients: Candidate[]
  onRemove: (client: Candidate) => void
}

const Chosen = ({ clients, onRemove }: ChosenProps) => (
  <ul className={styles.chips} aria-label="Chosen clients">
    {clients.map((client) => (
      <li key={client._id}>
        {client.clientId} {client.name}
        <IconButton
          label={`Remove ${client.name}`}
          icon={<X size={13} />}
          onClick={() => onRemove(client)}
        />
      </li>
    ))}
  </ul>
)

/** Looks up pasted codes one after the other; `unknown` are those that cannot be added. */
function useCodes(onClients: (clients: Candidate[]) => void) {
  const cache = useQueryClient()
  const [isReading, setIsReading] = useState(false)
  const [unknown, setUnknown] = useState<string[]>([])
  const readCodes = async (codes: string[]) => {
    setIsReading(true)
    const clients: Candidate[] = []
    const rejected: string[] = []
    try {
      for (const code of codes) {
        const candidates = await cache.query(candidatesQuery(code))
        const client = candidates.find((each) => each.clientId === code)
        if (client && client.modelId === null) clients.push(client)
        else rejected.push(code)
      }
    } catch (error) {
      toast.error(messageOf(error, "Failed to fetch data"))
    } finally {
      setIsReading(false)
    }
    onClients(clients)
    setUnknown(rejected)
  }
  return { isReading, unknown, readCodes }
}
