import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { boardAnswered, execution, followUpRow } from "@/testing/follow-up"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import type { Execution } from "@/parts/follow-up"

async function open(change: Partial<Execution>) {
  boardAnswered([followUpRow()])
  answer("get", "/admin/advice/advice-1/execution", execution(change))
  const shown = await showApp("/home/follow-up?advice=advice-1", { role: "ADMIN" })
  const drawer = within(await screen.findByRole("dialog", { name: "Follow-up of Asha Rao" }))
  await drawer.findByText("Implementation shortfall")
  return { ...shown, drawer }
}

const note = {
  outcome: "DRAFTED" as const,
  text: "Tracking error 3.20 % above the best possible.",
  at: "2026-11-26T10:36:00Z",
  draftedFor: "Kavya Menon",
}

test("a drafted follow-up says for whom, and the caller's own draft opens in the form", async () => {
  answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })
  answer("get", "/brokers", [])
  refuse("get", "/admin/advice/clients/by-code/:code/holdings", 404, "No holdings found.")
  const { drawer, user, router } = await open({ followUp: note, hasOwnDraft: true })

  expect(
    drawer.getByText(
      "Follow-up drafted for Kavya Menon, 26/11/2026 16:06 IST. Tracking error 3.20 % above the best possible.",
    ),
  ).toBeVisible()
  await user.click(drawer.getByRole("button", { name: "Open draft" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  expect(router.state.location.state).toMatchObject({ username: "C0001" })
})

test.each([
  [{ outcome: "WAITING", text: "A price is too old." }, /Follow-up waits, .* It is tried again/],
  [{ outcome: "LEFT_OUT", text: "The client declined what is left." }, /declined what is left\.$/],
  [{ outcome: "NOT_NEEDED", text: "Nothing is to be traded." }, /^No follow-up needed, /],
] as const)("without a draft it says why: %o", async (change, said) => {
  const { drawer } = await open({ followUp: { ...note, ...change, draftedFor: null } })

  expect(drawer.getByText(said)).toBeVisible()
  expect(drawer.queryByRole("button", { name: "Open draft" })).toBeNull()
})
