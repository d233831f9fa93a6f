import { useQuery } from "@tanstack/react-query"
import { dateTime } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { ErrorNote } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { toast } from "@/ui/overlay/toast"
import { ConnectionActs } from "./connection-acts"
import styles from "./connection-card.module.css"
import {
  type ClientConnection,
  type ConnectionAct,
  connectionQuery,
  useConnectionAct,
} from "./connection-queries"
import { brokerName, linkWords, whyLoggedOut } from "./connection-words"

interface ConnectionCardProps {
  clientId: string
  name: string
}

/** A client's connection with the broker: its state, the ID at the broker, and the actions of staff. */
export function ConnectionCard({ clientId, name }: ConnectionCardProps) {
  const query = useQuery(connectionQuery(clientId))
  const connection = query.data
  const act = useConnectionAct(clientId)
  const doAct = (what: ConnectionAct) =>
    act.mutate(
      { act: what, sessionId: connection?.sessionId ?? "" },
      {
        onSuccess: ({ message }) => toast.success(message ?? "Done"),
        onError: toastError,
      },
    )
  return (
    <Card
      title="Broker connection"
      note={connection && <StatePill connection={connection} />}
      actions={
        connection && (
          <ConnectionActs clientId={clientId} name={name} connection={connection} onAct={doAct} />
        )
      }
    >
      {query.isError && !connection && (
        <ErrorNote message="Failed to fetch data" onRetry={() => query.refetch()} />
      )}
      {connection?.state === "AWAITING" && (
        <Question
          name={name}
          connection={connection}
          busyWith={act.isPending ? act.variables.act : null}
          onAct={doAct}
        />
      )}
      {(query.isPending || connection?.userBrokerId || connection?.state === "CONNECTED") && (
        <Facts isLoading={query.isPending} facts={connection ? factsOf(connection) : noFacts} />
      )}
      {connection && <Words connection={connection} />}
    </Card>
  )
}

const noFacts: [string, string][] = ["Broker", "ID at the broker", "Since", "Until"].map((name) => [
  name,
  "",
])

function factsOf(connection: ClientConnection): [string, string][] {
  const isOn = connection.state === "CONNECTED"
  const broker = connection.broker || (isOn ? connection.sessionBroker : null)
  return [
    ["Broker", brokerName(broker)],
    ["ID at the broker", connection.userBrokerId],
    ["Since", isOn ? dateTime(connection.connectedAt) : ""],
    ["Until", isOn ? dateTime(connection.connectedUntil) : ""],
    ...(connection.confirmedBy === ""
      ? []
      : [["Confirmed by", connection.confirmedBy] as [string, string]]),
  ]
}

const StatePill = ({ connection: { state } }: { connection: ClientConnection }) =>
  state === "AWAITING" ? (
    <StatusPill word="To confirm" tone="warn" />
  ) : (
    <StatusPill word={state === "CONNECTED" ? "Login" : "Logout"} />
  )

function Words({ connection }: { connection: ClientConnection }) {
  const words = [whyLoggedOut(connection), linkWords(connection)].filter((each) => each !== "")
  if (!connection.canConnect)
    words.push("No link can be created: add the broker in Broker & Exchange, or set it active.")
  return words.length > 0 && <p className={styles.words}>{words.join(" ")}</p>
}

interface QuestionProps {
  name: string
  connection: ClientConnection
  busyWith: ConnectionAct | null
  onAct: (act: ConnectionAct) => void
}

/** The broker reported an ID that nobody has confirmed: staff confirm or refuse it. */
function Question({ name, connection, busyWith, onAct }: QuestionProps) {
  const { reportedId, sessionBroker, connectedAt } = connection
  return (
    <div className={styles.question} role="group" aria-label="ID to confirm">
      <div>
        <p className={styles.asked}>
          Is <strong>{reportedId}</strong> the ID of {name} at {brokerName(sessionBroker)}?
        </p>
        <p className={styles.hint}>
          {brokerName(sessionBroker)} reported it at the login of {dateTime(connectedAt)}. Nothing
          is read before you confirm it.
        </p>
      </div>
      <div className={styles.answers}>
        <Button
          isBusy={busyWith === "confirm"}
          disabled={busyWith === "refuse"}
          onClick={() => onAct("confirm")}
        >
          Confirm
        </Button>
        <Button
          kind="subtle"
          isBusy={busyWith === "refuse"}
          disabled={busyWith === "confirm"}
          onClick={() => onAct("refuse")}
        >
          Refuse
        </Button>
      </div>
    </div>
  )
}
