import { Download } from "lucide-react"
import { date, dateTime } from "@/lib/dates"
import { consentKinds } from "@/parts/consent-kinds"
import { saveFile } from "@/lib/save-file"
import { toastError } from "@/parts/toast-error"
import { Card } from "@/ui/card"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { type Consent, consentFile, type ConsentsToText } from "./queries"
import { howGiven } from "./words"

interface NamedConsent extends Consent {
  name: string
}

interface ConsentHistoryProps {
  clientId: string
  consents: ConsentsToText[]
}

/** Every consent that a client gave, the newest first, each with the hash of the text. */
export function ConsentHistory({ clientId, consents }: ConsentHistoryProps) {
  const rows = consents
    .flatMap(({ kind, given }) => given.map((row) => ({ ...row, name: consentKinds[kind] })))
    .sort((a, b) => b.recordedAt.localeCompare(a.recordedAt))
  if (rows.length === 0) return null
  const save = async ({ _id }: Consent) => {
    try {
      const { content, name } = await consentFile(clientId, _id)
      saveFile(content, name)
    } catch (error) {
      toastError(error)
    }
  }
  const menu = (row: NamedConsent): MenuEntry[] => [
    {
      label: "Save file",
      icon: <Download size={15} />,
      disabled: row.file === null,
      onSelect: () => void save(row),
    },
  ]
  return (
    <Card flush title="History of consents">
      <Table
        label="History of consents"
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        rowName={(row) => `${row.name}, version ${row.number}`}
        menu={menu}
        isDense
        empty={{ title: "No Data Available" }}
      />
    </Card>
  )
}

function withdrawn({ withdrawnAt, withdrawnBy }: Consent) {
  if (withdrawnAt === null) return "-"
  return `${dateTime(withdrawnAt)}, ${withdrawnBy ? `recorded by ${withdrawnBy}` : "on the client's page"}`
}

const columns: Column<NamedConsent>[] = [
  { title: "Consent", cell: ({ name }) => <strong>{name}</strong>, card: "title" },
  { title: "Version", cell: ({ number }) => number, card: "main" },
  { title: "Given on", cell: ({ givenOn }) => date(givenOn), card: "aside" },
  { title: "How", cell: howGiven, card: "note" },
  { title: "Recorded", cell: ({ recordedAt }) => dateTime(recordedAt), card: "rest" },
  { title: "IP address", cell: ({ ip }) => ip || "-", card: "rest" },
  {
    title: "Text (SHA-256)",
    cell: ({ textHash }) => <code title={textHash}>{textHash.slice(0, 12)}</code>,
    card: "rest",
  },
  { title: "Withdrawn", cell: withdrawn, card: "rest" },
]
