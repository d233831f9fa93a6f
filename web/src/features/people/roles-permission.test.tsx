import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRecord, keepList, openPeople, ownRecord, userRecord } from "@/testing/people"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, answerBy, breakOff, hang, refuse } from "@/testing/server"
import { cellsOf, headings, pageSizes } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"

const row = (name: RegExp) => screen.getByRole("row", { name })

test("an administrator sees users first, with the columns of the specification", async () => {
  keepList("/users", [userRecord(), ownRecord])

  await openPeople()

  expect(await screen.findByRole("tab", { name: "Users" })).toHaveAttribute("aria-selected", "true")
  expect(screen.getByRole("tab", { name: "Clients" })).toBeVisible()
  expect(await headings()).toBe("Name | Contact | Role | Email | Status | Action")
  expect(cellsOf(await screen.findByRole("row", { name: /Ravi/ }))).toMatch(
    /^Ravi Deshmukh \| \+91 9876543210 \| USER \| ravi@example.in \| ACTIVE \|/,
  )
  expect(cellsOf(row(/Meera/))).toMatch(/^Meera NairYou \| - \|/)
})

test("clients have onboarding date and client ID too", async () => {
  keepList("/clients", [clientRecord()])

  await openPeople("?tab=clients")

  expect(await headings()).toBe(
    "Onboarding Date | Client ID | Name | Contact | Role | Email | Status | Action",
  )
  // 20:00 in UTC is the next day in India.
  expect(cellsOf(await screen.findByRole("row", { name: /Asha/ }))).toMatch(
    /^21\/11\/2026 \| C0001 \| Asha Rao \| \+91 9012708438 \| client \|/,
  )
})

test("a USER sees the clients alone, whatever the address says", async () => {
  const calls = keepList("/clients", [clientRecord()])

  await openPeople("?tab=users&view=deleted", "USER")

  expect(await screen.findByText("Asha Rao")).toBeVisible()
  expect(screen.queryByRole("tab", { name: "Users" })).not.toBeInTheDocument()
  expect(screen.queryByRole("button", { name: "Deleted" })).not.toBeInTheDocument()
  expect(screen.getByRole("button", { name: "Add New Client" })).toBeVisible()
  expect(calls[0]!.search.get("deleted")).toBe("false")
})

test("the first page has ten rows of 5, 10, 20 or 50, and a shared address restores the view", async () => {
  const calls = answerBy("get", "/clients", () => ({
    success: true,
    data: [clientRecord()],
    pagination: { currentPage: 2, totalPages: 9, totalUsers: 45, limit: 5 },
  }))

  await openPeople("?tab=clients&page=2&limit=5&query=rao&sort=-name")

  expect(await screen.findByText("6–10 of 45")).toBeVisible()
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "2",
    limit: "5",
    query: "rao",
    sort: "-name",
    deleted: "false",
  })
  expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    "descending",
  )
  expect(await pageSizes()).toBe("5, 10, 20, 50")
})

test("going to the other tab forgets page and search, and the arrow keys go there too", async () => {
  keepList("/users", [userRecord()])
  const calls = keepList("/clients", [clientRecord()])
  const { user, router } = await openPeople("?query=ravi")

  await user.click(await screen.findByRole("tab", { name: "Users" }))
  await user.keyboard("{ArrowRight}")

  expect(await screen.findByText("Asha Rao")).toBeVisible()
  expect(screen.getByRole("tab", { name: "Clients" })).toHaveFocus()
  expect(calls[0]!.search.get("query")).toBe("")
  expect(router.state.location.search).toEqual({ tab: "clients" })
})

test("a search waits for a rest in the typing and starts on page 1", async () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    userRecord({ _id: `user-${at}`, name: `Person ${at}` }),
  )
  const calls = keepList("/users", many)
  const { user } = await openPeople("?page=2")
  await screen.findByText("11–12 of 12")

  await user.fill(screen.getByLabelText("Search users"), "Person 7")

  expect(await screen.findByText("1–1 of 1")).toBeVisible()
  expect(calls.at(-1)!.search.get("page")).toBe("1")
  expect(calls.map((call) => call.search.get("query"))).not.toContain("Per")
})

test("an empty list says so, and a search that finds nobody can be cleared", async () => {
  keepList("/clients", [clientRecord()])
  const { user } = await openPeople("?tab=clients&query=zzz")

  expect(await screen.findByText("No data available")).toBeVisible()
  expect(screen.getByText("Nobody here matches “zzz”.")).toBeVisible()
  await user.click(screen.getByText("Clear search"))

  expect(await screen.findByText("Asha Rao")).toBeVisible()
})

test("while the list is fetched, it says so", async () => {
  hang("get", "/users")

  await openPeople()

  expect((await screen.findAllByText("Fetching data...")).length).toBeGreaterThan(0)
})

test("a refused list says that it failed, in a toast and in its place, and can be asked for again", async () => {
  refuse("get", "/users", 500, "")
  const { user } = await openPeople()

  const alert = await screen.findByText("Failed to fetch data", { selector: "[role=alert] span" })
  expect(alert).toBeVisible()
  expect(toastMessages()).toEqual(["Failed to fetch data"])
  keepList("/users", [userRecord()])
  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await screen.findByText("Ravi Deshmukh")).toBeVisible()
})

test("a list that cannot be reached says so in other words", async () => {
  breakOff("get", "/users")

  await openPeople()

  await waitFor(() => expect(toastMessages()).toEqual(["Error fetching data"]))
})

test("the end of the session leads to the login", async () => {
  refuse("get", "/users", 401, "Session expired. Please log in again.")

  const { router } = await openPeople()

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  expect(toastMessages()).not.toContain("Failed to fetch data")
})

test("somebody who awaits approval is approved with one press", async () => {
  const waiting = userRecord({ status: "INACTIVE", awaitsApproval: true })
  const rows = [waiting]
  keepList("/users", rows)
  const calls = answerBy("put", "/users/edit", () => {
    rows[0] = { ...waiting, status: "ACTIVE", awaitsApproval: false, version: 4 }
    return { success: true, message: "User updated successfully", data: rows[0] }
  })
  const { user } = await openPeople()
  expect(await screen.findByText("Awaits approval")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Approve Ravi Deshmukh" }))

  await waitFor(() => expect(toastMessages()).toEqual(["User updated successfully"]))
  expect(calls[0]!.body).toEqual({ id: "user-1", status: "ACTIVE" })
  expect(row(/Ravi/)).toHaveTextContent("ACTIVE")
  expect(screen.queryByText("Awaits approval")).not.toBeInTheDocument()
})

test("on a phone a client is a card: name and status, code and number", async () => {
  setScreenWidth(390)
  keepList("/clients", [clientRecord()])

  const { user } = await openPeople("?tab=clients")

  expect(await screen.findByText("Asha Rao")).toBeVisible()
  expect(screen.queryByRole("table")).not.toBeInTheDocument()
  expect(screen.getByText("+91 9012708438")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Show details of Asha Rao" }))
  expect(screen.getByText("asha@rao.in")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Actions for Asha Rao" }))
  expect(await screen.findByRole("menuitem", { name: "Edit" })).toBeVisible()
})

test("an unknown status is shown as it is", async () => {
  answer("get", "/users", [{ ...userRecord(), status: "BLOCKED" }], {
    pagination: { currentPage: 1, totalPages: 1, totalUsers: 1, limit: 10 },
  })

  await openPeople()

  expect(await screen.findByText("BLOCKED")).toHaveAttribute("data-tone", "loss")
})
