import type { components } from "@/api/schema"
import type { Call } from "./server"
import { answerBy } from "./server"
import { showApp } from "./show"
import { signedIn } from "./signed-in"

export type UserRecord = components["schemas"]["UserRecord"]
export type ClientRecord = components["schemas"]["ClientRecord"]

/** Sample records of people, as the server answers them. Meera, "you", is who `signedIn` signs in. */
export const userRecord = (change: Partial<UserRecord> = {}): UserRecord => ({
  _id: "user-1",
  name: "Ravi Deshmukh",
  countryCode: "+91",
  contactNumber: "9876543210",
  email: "ravi@example.in",
  role: "USER",
  status: "ACTIVE",
  awaitsApproval: false,
  createdAt: "2026-11-20T20:00:00Z",
  deletedAt: null,
  version: 3,
  ...change,
})

export const ownRecord = userRecord({
  _id: "user-0",
  name: "Meera Nair",
  email: "meera@example.in",
  role: "ADMIN",
  contactNumber: "",
})

export const clientRecord = (change: Partial<ClientRecord> = {}): ClientRecord => ({
  _id: "client-1",
  clientId: "C0001",
  name: "Asha Rao",
  countryCode: "+91",
  contactNumber: "9012708438",
  email: "asha@rao.in",
  role: "client",
  status: "ACTIVE",
  address: "72 Model Town, Delhi",
  dob: "1975-02-09",
  family: "Rao",
  kind: "INDIVIDUAL",
  accreditedFrom: null,
  accreditedUntil: null,
  language: "EN",
  createdAt: "2026-11-20T20:00:00Z",
  deletedAt: null,
  version: 2,
  ...change,
})

/** Answers a list from `rows` as they are at each call: pages, searches names, parts the deleted ones. */
export const keepList = (path: string, rows: { name: string; deletedAt: string | null }[]) =>
  answerBy("get", path, ({ search }: Call) => {
    const limit = Number(search.get("limit"))
    const page = Number(search.get("page"))
    const isDeleted = search.get("deleted") === "true"
    const query = (search.get("query") ?? "").toLowerCase()
    const matchingRows = rows.filter(
      (row) =>
        (row.deletedAt !== null) === isDeleted && JSON.stringify(row).toLowerCase().includes(query),
    )
    return {
      success: true,
      data: matchingRows.slice((page - 1) * limit, page * limit),
      pagination: {
        currentPage: page,
        totalPages: Math.ceil(matchingRows.length / limit),
        totalUsers: matchingRows.length,
        limit,
      },
    }
  })

/** Opens Roles & Permission; `search` is what the address holds behind it. */
export function openPeople(search = "", role: "ADMIN" | "USER" = "ADMIN") {
  signedIn(role)
  return showApp(`/home/roles-permission${search}`, { role })
}
