import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { answerOf, api, asForm, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type Complaint = Schemas["ComplaintRow"]
export type Certificate = Schemas["CertificateRow"]
export type Declaration = Schemas["DeclarationRow"]
export type Breach = Schemas["BreachRow"]
export type Advertisement = Schemas["AdvertisementRow"]
export type Tool = Schemas["ToolRow"]
export type Handle = Schemas["HandleRow"]
export type Incident = Schemas["IncidentRow"]
export type Rule = Schemas["RuleRow"]

/** What the address of a register holds. */
export interface RegisterView {
  page: number
  limit: number
  query: string
  state: "" | "open" | "closed"
}

export const REGISTER_PAGE = 20
export const noFilter = { query: "", state: "" as const }
export const plainView: RegisterView = { page: 1, limit: REGISTER_PAGE, ...noFilter }

/** The paths of the lists, by the name that the queries and the address have for them. */
const paths = {
  complaints: "/admin/complaints",
  certificates: "/admin/registers/certificates",
  declarations: "/admin/disclosures",
  advertisements: "/admin/registers/advertisements",
  "ai-tools": "/admin/registers/ai-tools",
  handles: "/admin/registers/handles",
  incidents: "/admin/registers/incidents",
} as const

export type RegisterName = keyof typeof paths
type PathOf<Name extends RegisterName> = (typeof paths)[Name]

interface Rows {
  complaints: Complaint
  certificates: Certificate
  declarations: Declaration
  advertisements: Advertisement
  "ai-tools": Tool
  handles: Handle
  incidents: Incident
}
export type RowOf<Name extends RegisterName> = Rows[Name]

interface RowsPage<Row> {
  data: Row[]
  pagination: Schemas["Pagination"]
}

const keyOf = (name: RegisterName | "breaches" | "rules" | "choices" | "sentence") =>
  ["registers", name] as const

export const registerQuery = <Name extends RegisterName>(name: Name, view: RegisterView) =>
  queryOptions({
    queryKey: [...keyOf(name), view],
    // The paths have the same parameters; the rows are those of the path.
    queryFn: () =>
      answerOf(
        api.GET(paths[name] as PathOf<"handles">, { params: { query: view } }),
      ) as unknown as Promise<RowsPage<RowOf<Name>>>,
  })

/** All rows that fit the filters, as a file. */
export const registerFile = (name: RegisterName, view: RegisterView, format: SheetFormat) =>
  fileOf(
    api.GET(`${paths[name] as PathOf<"handles">}/export`, {
      params: { query: { query: view.query, state: view.state, format } },
      parseAs: "blob",
    }),
  )

export const choicesQuery = queryOptions({
  queryKey: keyOf("choices"),
  queryFn: () => dataOf(api.GET("/admin/registers/choices")),
})

/** The names of staff by their ids. */
export const useStaffNames = () =>
  useQuery({
    queryKey: ["registers", "staff"],
    queryFn: () => dataOf(api.GET("/users", { params: { query: { limit: 200 } } })),
    select: (staff) => Object.fromEntries(staff.map(({ _id, name }) => [_id, name])),
  })

export const breachesQuery = queryOptions({
  queryKey: keyOf("breaches"),
  queryFn: () => dataOf(api.GET("/admin/disclosures/breaches")),
})

export const breachesFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/admin/disclosures/breaches/export", {
      params: { query: { format } },
      parseAs: "blob",
    }),
  )

export const rulesQuery = queryOptions({
  queryKey: keyOf("rules"),
  queryFn: () => dataOf(api.GET("/admin/registers/rules")),
})

export const rulesFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/admin/registers/rules/export", { params: { query: { format } }, parseAs: "blob" }),
  )

export const sentenceQuery = queryOptions({
  queryKey: keyOf("sentence"),
  queryFn: () => dataOf(api.GET("/admin/registers/ai-sentence")),
})

export const wordingQuery = (text: string) =>
  queryOptions({
    queryKey: ["registers", "wording", text],
    queryFn: () => dataOf(api.POST("/admin/registers/advertisements/screen", { body: { text } })),
    placeholderData: keepPreviousData,
    enabled: text.trim() !== "",
  })

export const certificateFile = (id: string) =>
  fileOf(
    api.GET("/admin/registers/certificates/{entry_id}/file", {
      params: { path: { entry_id: id } },
      parseAs: "blob",
    }),
  )

/** Uploads a document; its hash names it in an entry. */
export const uploadFile = (file: File) =>
  dataOf(
    api.POST("/admin/registers/files", {
      body: { file: "" },
      bodySerializer: () => asForm({ file }),
    }),
  )

/** What a form sends: a new entry, a changed one, or one of its acts such as `resolve`. */
export interface Save {
  id: string | null
  act?: string
  body: Record<string, unknown>
  key: string
}

/** Sends a form of a register; its lists, and all that follows from them, are read again. */
export function useSaveEntry(name: RegisterName) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, act, body, key }: Save): Promise<unknown> => {
      const headers = { "Idempotency-Key": key }
      // The path and the body belong together: each form is of one register.
      const path = paths[name] as PathOf<"handles">
      const sent = body as Schemas["EnteredHandle"]
      if (id === null) return dataOf(api.POST(path, { body: sent, headers }))
      const params = { path: { entry_id: id } }
      if (act === undefined) return dataOf(api.PUT(`${path}/{entry_id}`, { params, body: sent }))
      return dataOf(
        api.POST(`${path}/{entry_id}/${act}` as "/admin/registers/incidents/{entry_id}/report", {
          params,
          body: body as Schemas["ReportedIncident"],
          headers,
        }),
      )
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ["registers"] }),
  })
}

/** Enters a rule in force from a day on. */
export function useEnterRule() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["EnteredRule"]; key: string }) =>
      dataOf(api.POST("/admin/registers/rules", { body, headers: { "Idempotency-Key": key } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["registers"] }),
  })
}

/** Lets letters say what the register of AI tools says. */
export function useTakeSentence() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => dataOf(api.POST("/admin/registers/ai-sentence")),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["registers"] }),
  })
}
