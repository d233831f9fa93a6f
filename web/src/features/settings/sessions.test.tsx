import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"
import { SessionsCard } from "./sessions"

const path = "/auth/sessions"
const row = (_id: string, userAgent: string, isCurrent = false) => ({
  _id,
  userAgent,
  isCurrent,
  ip: "203.0.113.9",
  createdAt: "2026-11-20T10:00:00Z",
  lastSeenAt: new Date(Date.now() - 5 * 60_000).toISOString(),
})
const own = [row("one", "Chrome on Windows", true), row("two", "Safari on iPhone")]
const lines = () => screen.getAllByRole("listitem")
const shownToasts = () => toasts.get().map(({ kind, message }) => [kind, message])

beforeEach(() => session.start("token", "USER"))

test("own sessions are listed, the current one marked and without a way to end it", async () => {
  answer("get", path, own)
  await show(<SessionsCard />)
  await screen.findByText("Chrome on Windows")

  const [first, second] = lines()
  expect(first).toHaveTextContent("This session")
  expect(within(first as HTMLElement).queryByRole("button")).not.toBeInTheDocument()
  expect(second).toHaveTextContent("203.0.113.9 · seen 5 minutes ago")
  expect(second).toHaveTextContent("since 20/11/2026 15:30 IST")
  expect(screen.queryByRole("group", { name: "Whose sessions" })).not.toBeInTheDocument()
})

test("ending a session asks first, and confirms it afterwards", async () => {
  answer("get", path, own)
  const calls = answer("delete", "/auth/sessions/:id", null)
  const { user } = await show(<SessionsCard />)
  const end = await screen.findByRole("button", { name: "End session: Safari on iPhone" })

  await user.click(end)
  await user.click(await screen.findByRole("button", { name: "Cancel" }))
  expect(calls).toHaveLength(0)

  answer("get", path, own.slice(0, 1))
  await user.click(end)
  const dialog = await screen.findByRole("dialog", { name: "End this session?" })
  await user.click(within(dialog).getByRole("button", { name: "End session" }))

  await waitFor(() => expect(lines()).toHaveLength(1))
  expect(calls[0]?.path).toBe("/api/v1/auth/sessions/two")
  expect(shownToasts()).toEqual([["success", "Session ended"]])
})

test("a refusal is shown and the list is refreshed", async () => {
  answer("get", path, own)
  refuse("delete", "/auth/sessions/:id", 404, "Record not found")
  const { user } = await show(<SessionsCard />)

  await user.click(await screen.findByRole("button", { name: /^End session/ }))
  const dialog = await screen.findByRole("dialog")
  await user.click(within(dialog).getByRole("button", { name: "End session" }))

  await waitFor(() => expect(shownToasts()).toEqual([["error", "Record not found"]]))
})

test("an administrator sees and ends everybody's", async () => {
  session.start("token", "ADMIN")
  answer("get", path, own)
  const whose = { name: "Ravi Rao", email: "ravi@desk.example", role: "USER" }
  answer("get", "/admin/sessions", [{ ...row("three", "Firefox on Linux"), ...whose }])
  const calls = answer("delete", "/admin/sessions/:id", null)
  const { user } = await show(<SessionsCard />)

  await user.click(await screen.findByRole("button", { name: "All" }))

  expect(await screen.findByText("Ravi Rao")).toBeVisible()
  expect(lines()[0]).toHaveTextContent("ravi@desk.example · Firefox on Linux · 203.0.113.9")
  await user.click(screen.getByRole("button", { name: "End session: Ravi Rao" }))
  const dialog = await screen.findByRole("dialog")
  await user.click(within(dialog).getByRole("button", { name: "End session" }))
  await waitFor(() => expect(calls[0]?.path).toBe("/api/v1/admin/sessions/three"))
})

test("loading, failed and empty lists show their messages", () =>
  expectFetchStates(path, {
    open: () => show(<SessionsCard />),
    data: [],
    shows: "No Data Available",
  }))
