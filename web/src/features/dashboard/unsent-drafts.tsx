import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { dateTime } from "@/lib/dates"
import { Modal } from "@/ui/overlay/modal"
import { Pagination } from "@/ui/table/pagination"
import { type Column, steadyState, Table } from "@/ui/table/table"
import { type UnsentDraft, unsentDraftsQuery } from "./queries"

const LIMIT = 10

/** The advice drafts that this person has not sent; each opens the advice form with its client. */
export function UnsentDrafts({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState(1)
  const drafts = useQuery({
    ...unsentDraftsQuery(page, LIMIT),
    placeholderData: keepPreviousData,
  })
  const navigate = useNavigate()
  const total = drafts.data?.pagination.totalUsers ?? 0
  return (
    <Modal title="Advice drafts not sent" isOpen onClose={onClose} width={560}>
      <Table
        label="Advice drafts not sent"
        columns={columns}
        rows={drafts.data?.data}
        rowKey={(draft) => draft.userId}
        rowName={(draft) => draft.name}
        onOpen={({ clientId }) =>
          void navigate({ to: "/home/advice", state: { username: clientId } })
        }
        state={steadyState(drafts)}
        skeletonRows={3}
        empty={{ title: "No Data Available", hint: "Every draft was sent or discarded." }}
      />
      {total > LIMIT && (
        <Pagination
          page={page}
          limit={LIMIT}
          total={total}
          onPage={setPage}
          label="Pages of drafts"
        />
      )}
    </Modal>
  )
}

const columns: Column<UnsentDraft>[] = [
  { title: "Client ID", cell: (draft) => draft.clientId, card: "note" },
  { title: "Client Name", cell: (draft) => draft.name, card: "title" },
  {
    title: "Drafted",
    cell: (draft) => (draft.isFollowUp ? "as a follow-up" : "by you"),
    card: "aside",
  },
  { title: "Last changed", cell: (draft) => dateTime(draft.changedAt), card: "main" },
]
