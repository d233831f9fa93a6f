import { act, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { report } from "@/live/progress"
import { clientProfile } from "@/testing/clients"
import { connected } from "@/testing/connections"
import { answer, answerLater, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"
import { ClientProfile } from "./client-profile"

const root = "/admin/clients/client/id-1"
const card = () => within(screen.getByRole("group", { name: "Last Synced" }))

beforeEach(() => {
  toasts.set([])
  signedIn()
  chooseClient("id-1", "C0001")
  answer("get", "/admin/remarks/client/id-1", [])
  answer("get", `${root}/connection`, connected())
})

async function showProfile(change: Parameters<typeof clientProfile>[0] = {}) {
  const profileCalls = answer("get", `${root}/profile`, clientProfile(change))
  const shown = await show(<ClientProfile />)
  await screen.findByText("72 Model Town, Delhi 110009")
  return { profileCalls, ...shown }
}

test("a client with a session is synced from the card, whose texts stay", async () => {
  const { profileCalls, user } = await showProfile()
  const sync = answerLater("post", `${root}/sync`, { outcome: "DONE" })
  const before = profileCalls.length

  await user.click(card().getByRole("button", { name: "Sync now" }))

  expect(card().getByRole("button", { name: "Sync now" })).toHaveAttribute("aria-busy", "true")
  act(() =>
    report({ id: "sync:id-1", step: "Reading holdings", done: 3, total: 6, state: "RUNNING" }),
  )
  const bar = await card().findByRole("progressbar", { name: "Syncing" })
  expect(bar).toHaveAttribute("aria-valuetext", "Reading holdings, 3 of 6")
  expect(bar).toHaveTextContent("Reading holdings 3 of 6")
  expect(card().getByText("Live")).toHaveClass("gain")
  // A second press while it goes on is none.
  await user.click(card().getByRole("button", { name: "Sync now" }))
  sync.answerNow()

  await waitFor(() => expect(card().queryByRole("progressbar")).toBeNull())
  expect(sync.calls).toHaveLength(1)
  expect(sync.calls[0]?.body).toEqual({ acceptEmpty: false })
  await waitFor(() => expect(profileCalls.length).toBeGreaterThan(before))
})

test("what an earlier sync told last is not shown of the next", async () => {
  const { user } = await showProfile()
  answerLater("post", `${root}/sync`, { outcome: "DONE" })
  act(() => report({ id: "sync:id-1", step: "", done: 1, total: 1, state: "DONE" }))

  await user.click(card().getByRole("button", { name: "Sync now" }))

  expect(card().queryByRole("progressbar")).toBeNull()
})

test("why a client cannot be synced is said, and the profile is asked for again", async () => {
  const { profileCalls, user } = await showProfile()
  const words = "The broker session has ended. Log in at the broker again."
  refuse("post", `${root}/sync`, 502, words)
  const before = profileCalls.length

  await user.click(card().getByRole("button", { name: "Sync now" }))

  await waitFor(() => expect(toastMessages()).toContain(words))
  await waitFor(() => expect(profileCalls.length).toBeGreaterThan(before))
  expect(card().getByRole("button", { name: "Sync now" })).not.toHaveAttribute("aria-busy")
})

test("a session that is over says so, though its button goes", async () => {
  const { user } = await showProfile()
  const words = "The client is not logged in at the broker. Send a connect link first."
  refuse("post", `${root}/sync`, 409, words)
  answer("get", `${root}/profile`, clientProfile({ isConnected: false, lastSync: null }))

  await user.click(card().getByRole("button", { name: "Sync now" }))

  await waitFor(() => expect(card().queryByRole("button", { name: "Sync now" })).toBeNull())
  await waitFor(() => expect(toastMessages()).toContain(words))
})

test("without a session there is nothing to sync with", async () => {
  await showProfile({ isConnected: false, lastSync: null })

  expect(card().queryByRole("button", { name: "Sync now" })).toBeNull()
  expect(screen.getByRole("group", { name: "Last Synced" })).toHaveTextContent(
    "Last Synced-Never synced",
  )
})
