import { Checkbox } from "@mantine/core"
import { Download, Layers, Mail, Users, X } from "lucide-react"
import { type ReactNode, useCallback, useState } from "react"
import { useSession } from "@/api/use-session"
import { count } from "@/lib/format"
import { saveFile } from "@/lib/save-file"
import { useModels } from "@/parts/models"
import { useTeamNames } from "@/parts/teams"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Toolbar } from "@/ui/card"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import type { Column } from "@/ui/table/table"
import styles from "./client-choice.module.css"
import { MoveToTeam } from "./move-to-team"
import {
  type ClientRow,
  clientsFile,
  type ClientsView,
  useFollowModel,
  useSendLinks,
} from "./queries"

/** At most so many clients are chosen at once. */
const MAX_CHOSEN = 100

/** The chosen clients by id, kept over pages and searches. */
export function useChosen() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ClientRow>>(new Map())
  const choose = useCallback(
    (clients: ClientRow[], isChosen: boolean) =>
      setChosen((old) => {
        const next = new Map(old)
        for (const client of clients)
          if (!isChosen) next.delete(client._id)
          else if (next.size < MAX_CHOSEN) next.set(client._id, client)
        return next
      }),
    [],
  )
  return { chosen, choose, clear: () => setChosen(new Map()) }
}

export type Choice = ReturnType<typeof useChosen>

/** A checkbox before each client. */
export const choiceColumn = ({ chosen, choose }: Omit<Choice, "clear">): Column<ClientRow> => ({
  title: "Choose",
  hideTitle: true,
  width: 40,
  cell: (client) => (
    <Checkbox
      size="xs"
      aria-label={`Choose ${client.name}`}
      checked={chosen.has(client._id)}
      onChange={(event) => choose([client], event.currentTarget.checked)}
    />
  ),
})

interface ChoiceBarProps extends Choice {
  /** The search: clients are chosen over several searches. */
  children: ReactNode
  rows: ClientRow[]
  view: ClientsView
}

/** What can be done with the chosen clients. */
export function ChoiceBar({ chosen, choose, clear, rows, view, children }: ChoiceBarProps) {
  const isAdmin = useSession("role") === "ADMIN"
  const [isFollowing, setIsFollowing] = useState(false)
  const [isMoving, setIsMoving] = useState(false)
  const hasTeams = Object.keys(useTeamNames()).length > 0
  const links = useSendLinks()
  const clients = [...chosen.values()]
  const ids = clients.map(({ _id }) => _id)
  const unlinked = clients.filter((client) => !client.isConnected && client.status === "ACTIVE")
  const save = async () => {
    try {
      const { content, name } = await clientsFile(
        { query: "", sort: view.sort, team: "" },
        "xlsx",
        ids,
      )
      saveFile(content, name)
    } catch (error) {
      toastError(error)
    }
  }
  const sendLinks = () =>
    links.mutate(
      unlinked.map(({ _id }) => _id),
      { onSuccess: (message) => toast.success(message), onError: toastError },
    )
  return (
    <Toolbar
      action={
        <Button icon={<X size={15} />} onClick={clear}>
          Clear
        </Button>
      }
    >
      {children}
      <strong className={styles.chosen} role="status">
        {count(chosen.size)} chosen
      </strong>
      {rows.some(({ _id }) => !chosen.has(_id)) && (
        <Button onClick={() => choose(rows, true)}>Choose all on this page</Button>
      )}
      {isAdmin && (
        <Button icon={<Layers size={15} />} onClick={() => setIsFollowing(true)}>
          Follow a model
        </Button>
      )}
      {hasTeams && (
        <Button icon={<Users size={15} />} onClick={() => setIsMoving(true)}>
          Move to team
        </Button>
      )}
      <Button
        icon={<Mail size={15} />}
        disabled={unlinked.length === 0}
        isBusy={links.isPending}
        onClick={sendLinks}
      >
        {unlinked.length === 0
          ? "Send connect links"
          : `Send ${count(unlinked.length)} connect ${unlinked.length === 1 ? "link" : "links"}`}
      </Button>
      <Button icon={<Download size={15} />} onClick={() => void save()}>
        Export
      </Button>
      {isMoving && <MoveToTeam clients={ids} onClose={() => setIsMoving(false)} onDone={clear} />}
      {isFollowing && (
        <FollowModel clients={clients} onClose={() => setIsFollowing(false)} onDone={clear} />
      )}
    </Toolbar>
  )
}

interface FollowModelProps {
  clients: ClientRow[]
  onClose: () => void
  onDone: () => void
}

/** Lets the chosen clients follow a model with all holdings and cash. */
function FollowModel({ clients, onClose, onDone }: FollowModelProps) {
  const models = useModels().data?.data ?? []
  const active = models.filter(({ status }) => status === "ACTIVE")
  const [modelId, setModelId] = useState("")
  const [error, setError] = useState<string>()
  const follow = useFollowModel()
  const words = clients.length === 1 ? "1 client" : `${count(clients.length)} clients`
  const submit = () => {
    if (modelId === "") {
      setError("A model is required")
      return
    }
    const name = active.find(({ _id }) => _id === modelId)?.name ?? "the model"
    follow.mutate(
      { modelId, clients: clients.map(({ _id }) => _id) },
      {
        onSuccess: () => {
          toast.success(`${words} ${clients.length === 1 ? "follows" : "follow"} ${name}`)
          onDone()
          onClose()
        },
        onError: toastError,
      },
    )
  }
  return (
    <Modal title={`Let ${words} follow a model`} isOpen onClose={onClose} width={420}>
      <DialogForm
        submitLabel="Follow"
        isBusy={follow.isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        <SelectField
          label="Model"
          placeholder="Choose a model"
          description="With all holdings and cash. A client who follows another model is refused."
          options={Object.fromEntries(active.map(({ _id, name }) => [_id, name]))}
          value={modelId}
          error={error}
          onChange={(event) => {
            setModelId(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
