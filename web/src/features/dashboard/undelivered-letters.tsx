import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSession } from "@/api/use-session"
import { dateTime } from "@/lib/dates"
import { useOpenClient } from "@/parts/use-open-client"
import { useResend } from "@/parts/use-resend"
import { Button } from "@/ui/button"
import { Modal } from "@/ui/overlay/modal"
import { Pagination } from "@/ui/table/pagination"
import { type Column, steadyState, Table } from "@/ui/table/table"
import { type Undelivered, undeliveredQuery, workQuery } from "./queries"

const LIMIT = 10

/** The letters that could not be delivered, and why; an administrator sends them again. */
export function UndeliveredLetters({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState(1)
  const letters = useQuery({ ...undeliveredQuery(page, LIMIT), placeholderData: keepPreviousData })
  const isAdmin = useSession("role") === "ADMIN"
  const resend = useResend(["dashboard", "undelivered"], workQuery.queryKey)
  const openClient = useOpenClient()
  const total = letters.data?.pagination.totalUsers ?? 0
  const action: Column<Undelivered> = {
    title: "Action",
    cell: (letter) => (
      <Button
        kind="subtle"
        isBusy={resend.sending === letter._id}
        onClick={() => resend.send(letter._id)}
      >
        Resend
      </Button>
    ),
  }
  return (
    <Modal title="Letters that could not be delivered" isOpen onClose={onClose} width={760}>
      <Table
        label="Letters that could not be delivered"
        name="undelivered-letters"
        columns={isAdmin ? [...columns, action] : columns}
        rows={letters.data?.data}
        rowKey={(letter) => letter._id}
        rowName={(letter) => letter.name}
        onOpen={({ userId, clientId }) =>
          openClient({ _id: userId, clientId }, "/home/client/advice-history")
        }
        state={steadyState(letters)}
        skeletonRows={3}
        empty={{ title: "No Data Available", hint: "Every letter was delivered." }}
      />
      {total > LIMIT && (
        <Pagination
          page={page}
          limit={LIMIT}
          total={total}
          onPage={setPage}
          label="Pages of letters"
        />
      )}
    </Modal>
  )
}

const columns: Column<Undelivered>[] = [
  { title: "Client ID", cell: (letter) => letter.clientId, card: "note" },
  { title: "Client Name", cell: (letter) => letter.name, card: "title" },
  { title: "Advice sent", cell: (letter) => dateTime(letter.sentAt) },
  { title: "Failed", cell: (letter) => dateTime(letter.failedAt) },
  { title: "Reason", cell: (letter) => letter.error, card: "main" },
]
