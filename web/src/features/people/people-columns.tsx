import { date, dateTime } from "@/lib/dates"
import { missing } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./people.module.css"
import type { Kind, PersonRecord } from "./queries"

interface Shown {
  kind: Kind
  isDeleted: boolean
  /** The e-mail address of who looks. */
  own: string | undefined
  onApprove: (record: PersonRecord) => void
}

const contactOf = ({ countryCode, contactNumber }: PersonRecord) =>
  contactNumber === "" ? missing : `${countryCode} ${contactNumber}`

const name = (own: string | undefined): Column<PersonRecord> => ({
  title: "Name",
  cell: (record) => (
    <>
      <strong title={record.name}>{record.name}</strong>
      {record.email === own && <span className={styles.own}>You</span>}
    </>
  ),
  sortKey: "name",
  card: "title",
})

const onboarding: Column<PersonRecord> = {
  title: "Onboarding Date",
  cell: (record) => <span title={dateTime(record.createdAt)}>{date(record.createdAt)}</span>,
  sortKey: "createdAt",
  card: "rest",
  width: 144,
}

const clientId: Column<PersonRecord> = {
  title: "Client ID",
  cell: (record) => <span className="muted">{record.clientId}</span>,
  sortKey: "clientId",
  card: "note",
  width: 96,
}

// On a phone's card a client shows code and number, a user e-mail address and role; the rest opens with a tap.
const middle = (kind: Kind): Column<PersonRecord>[] => [
  {
    title: "Contact",
    cell: contactOf,
    sortKey: "contactNumber",
    card: kind === "clients" ? "aside" : "rest",
  },
  {
    title: "Role",
    cell: (record) => record.role,
    sortKey: "role",
    card: kind === "users" ? "aside" : "rest",
    width: 88,
  },
  {
    title: "Email",
    cell: (record) => (
      <span className={styles.email} title={record.email}>
        {record.email}
      </span>
    ),
    sortKey: "email",
    card: kind === "users" ? "note" : "rest",
  },
]

const status = (onApprove: Shown["onApprove"]): Column<PersonRecord> => ({
  title: "Status",
  cell: (record) => (
    <span className={styles.status}>
      {record.awaitsApproval ? (
        <>
          <StatusPill word="Awaits approval" tone="warn" />
          <button
            type="button"
            className={styles.approve}
            aria-label={`Approve ${record.name}`}
            onClick={() => onApprove(record)}
          >
            Approve
          </button>
        </>
      ) : (
        <StatusPill word={record.status} />
      )}
    </span>
  ),
  sortKey: "status",
  card: "main",
  width: 128,
})

const deletedOn: Column<PersonRecord> = {
  title: "Deleted",
  cell: (record) => dateTime(record.deletedAt),
  card: "main",
}

/** The columns of the specification; users have neither onboarding date nor client ID. */
export const columnsOf = ({ kind, isDeleted, own, onApprove }: Shown) => [
  ...(kind === "clients" ? [onboarding, clientId] : []),
  name(own),
  ...middle(kind),
  isDeleted ? deletedOn : status(onApprove),
]
