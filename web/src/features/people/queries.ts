import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import type { Person } from "@/parts/person-rows"

export type Kind = "users" | "clients"
export type Status = components["schemas"]["Status"]
export type StaffRole = "USER" | "ADMIN"
type UserRecord = components["schemas"]["UserRecord"]
type ClientRecord = components["schemas"]["ClientRecord"]

/** A row of either list; what only one kind has may be missing. */
export type PersonRecord = Omit<UserRecord, "role" | "awaitsApproval"> &
  Partial<Pick<UserRecord, "awaitsApproval">> &
  Partial<Omit<ClientRecord, keyof UserRecord>> & {
    role: UserRecord["role"] | ClientRecord["role"]
  }

interface RecordPage {
  data: PersonRecord[]
  pagination: components["schemas"]["Pagination"]
}

/** Rows on a page as the screen opens. */
export const PEOPLE_PAGE = 10

/** What the address of Roles & Permission holds. */
export interface PeopleView {
  page: number
  limit: number
  query: string
  sort: string
  /** Without it the first tab that the role may see. */
  tab: Kind | ""
  view: "deleted" | ""
}

interface RecordView {
  page: number
  limit: number
  query: string
  sort: string
  deleted: boolean
}

export type Edit = Omit<
  components["schemas"]["EditedUser"] & components["schemas"]["EditedClient"],
  "id"
>

interface Saved {
  message?: string | null
  data: PersonRecord
}

/** What is there to call for each kind. */
const calls = {
  users: {
    list: (query: RecordView): Promise<RecordPage> =>
      answerOf(api.GET("/users", { params: { query } })),
    edit: (id: string, edit: Edit): Promise<Saved> =>
      answerOf(api.PUT("/users/edit", { body: { ...edit, id } })),
    remove: (userId: string, version: number) =>
      answerOf(api.POST("/users/delete", { body: { userId, version } })),
    restore: (user_id: string) =>
      answerOf(api.POST("/admin/users/{user_id}/restore", { params: { path: { user_id } } })),
  },
  clients: {
    list: (query: RecordView): Promise<RecordPage> =>
      answerOf(api.GET("/clients", { params: { query } })),
    edit: (id: string, edit: Edit): Promise<Saved> =>
      answerOf(api.PUT("/clients/edit", { body: { ...edit, id } })),
    remove: (clientId: string, version: number) =>
      answerOf(api.POST("/clients/delete", { body: { clientId, version } })),
    restore: (client_id: string) =>
      answerOf(api.POST("/admin/clients/{client_id}/restore", { params: { path: { client_id } } })),
  },
}

// Under "clients", so that whoever adds one there makes this list ask again too.
const keys = { users: ["users"], clients: ["clients", "records"] }

export const recordsQuery = (kind: Kind, view: RecordView) =>
  queryOptions({
    queryKey: [...keys[kind], view],
    queryFn: () => calls[kind].list(view),
    // Each page is asked for when it is opened: rows may have come and gone since it was last looked at.
    staleTime: 0,
  })

/** All records that match, in their order, as a file. */
export const recordsFile = (
  kind: Kind,
  view: Pick<RecordView, "query" | "sort" | "deleted">,
  format: SheetFormat,
) =>
  fileOf(
    api.GET(kind === "users" ? "/users/export" : "/clients/export", {
      params: { query: { ...view, format } },
      parseAs: "blob",
    }),
  )

/** The record as it is now; undefined when it is gone. */
export async function currentRecord(
  kind: Kind,
  { _id, email }: Pick<PersonRecord, "_id" | "email">,
) {
  const view = { page: 1, limit: 200, query: email.slice(0, 100), sort: "", deleted: false }
  const { data } = await calls[kind].list(view)
  return data.find((record) => record._id === _id)
}

/** The record of a client as it is now; undefined when it is gone. */
export const currentClient = (_id: string, email: string) =>
  currentRecord("clients", { _id, email })

/** A change of a person shows in lists, sums and look-ups everywhere. */
function useRefresh() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries()
}

/** Acts on the same list wait for each other, so that each knows what the one before has made of a record. */
const inTurn = (kind: Kind) => ({ id: `acts on ${kind}` })

const rowsOf = (cache: QueryClient, kind: Kind) =>
  cache.getQueriesData<RecordPage>({ queryKey: keys[kind] }).flatMap(([, page]) => page?.data ?? [])

/** The record as the server has it after an edit: the next act starts from this version. */
function keep(cache: QueryClient, kind: Kind, record: PersonRecord) {
  cache.setQueriesData<RecordPage>(
    { queryKey: keys[kind] },
    (old) =>
      old && { ...old, data: old.data.map((row) => (row._id === record._id ? record : row)) },
  )
}

/** The newest version that this browser knows: its own last change may have raised it. */
const newestVersion = (cache: QueryClient, kind: Kind, { _id, version }: PersonRecord) =>
  Math.max(
    version,
    ...rowsOf(cache, kind)
      .filter((row) => row._id === _id)
      .map((row) => row.version),
  )

export function useEdit(kind: Kind) {
  const cache = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, edit }: { id: string; edit: Edit }) => calls[kind].edit(id, edit),
    onSuccess: ({ data }) => {
      keep(cache, kind, data)
      void refresh()
    },
  })
}

/** Shows the new status at once, and takes it back when the server refuses it. */
export function useSetStatus(kind: Kind) {
  const cache = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    scope: inTurn(kind),
    mutationFn: ({ id, status }: { id: string; status: Status }) =>
      calls[kind].edit(id, { status }),
    onSuccess: ({ data }) => keep(cache, kind, data),
    onMutate: async ({ id, status }) => {
      const queryKey = keys[kind]
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueriesData<RecordPage>({ queryKey })
      cache.setQueriesData<RecordPage>({ queryKey }, (old) => {
        if (!old) return old
        const changed = (row: PersonRecord) =>
          row._id === id
            ? { ...row, status, awaitsApproval: row.awaitsApproval && status !== "ACTIVE" }
            : row
        return { ...old, data: old.data.map(changed) }
      })
      return { before }
    },
    onError: (_error, _change, context) => {
      for (const [key, page] of context?.before ?? []) cache.setQueryData(key, page)
    },
    onSettled: () => void refresh(),
  })
}

export function useDelete(kind: Kind) {
  const cache = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    scope: inTurn(kind),
    mutationFn: (record: PersonRecord) =>
      calls[kind].remove(record._id, newestVersion(cache, kind, record)),
    onSettled: () => void refresh(),
  })
}

export function useRestore(kind: Kind) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ _id }: PersonRecord) => calls[kind].restore(_id),
    onSettled: () => void refresh(),
  })
}

interface Adding<Role extends string> {
  people: Person<Role>[]
  key: string
}

export function useAddClients() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ people, key }: Adding<"client">) =>
      answerOf(
        api.POST("/clients/add", {
          body: { clients: people },
          headers: { "Idempotency-Key": key },
        }),
      ),
    onSuccess: () => void refresh(),
  })
}

/** The answer holds temporary passwords while the installation sends no mail. */
export function useAddUsers() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ people, key }: Adding<StaffRole>) =>
      answerOf(
        api.POST("/users/add", { body: { users: people }, headers: { "Idempotency-Key": key } }),
      ),
    onSuccess: () => void refresh(),
  })
}
