import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { run, runClient, runClients } from "@/testing/book-runs"
import { answer, answerWith } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { Run } from "./types"

const runPath = "/admin/book-runs/:id"

async function review(shown: Run = run()) {
  signedIn()
  answer("get", runPath, shown)
  const left = runClient({
    _id: "id-6",
    clientId: "C0006",
    name: "Nila Das",
    isIncluded: false,
    note: "Asked to wait",
  })
  answer("get", `${runPath}/clients`, [...runClients.slice(2), left], pageOf(3, 100))
  const app = await showApp("/home/models/book/run-1", { role: "ADMIN" })
  const reopen = async () => {
    await app.user.click(await screen.findByRole("button", { name: "Review and send" }))
    return within(await screen.findByRole("dialog", { name: "Review and send" }))
  }
  return { ...app, reopen, dialog: await reopen() }
}

async function sendFrom({ user, dialog }: Awaited<ReturnType<typeof review>>) {
  await waitFor(() =>
    expect(dialog.getByRole("button", { name: "Send to 2 clients" })).toBeEnabled(),
  )
  await user.click(dialog.getByRole("button", { name: "Send to 2 clients" }))
  const question = await screen.findByRole("dialog", { name: "Send advice to 2 clients?" })
  await user.click(within(question).getByRole("button", { name: "Send" }))
  return question
}

test("repeats count and totals, and lists who is left out with the reason", async () => {
  const { dialog } = await review()

  expect(dialog.getByText("2 of 4")).toBeVisible()
  expect(
    dialog.getByText("Drift below 0.25% ignored, trades under ₹1,000.00 skipped, no fresh funds"),
  ).toBeVisible()
  expect(dialog.getByText("₹90,000.00")).toBeVisible()
  expect(dialog.getByText("₹40,000.00")).toBeVisible()
  const out = within(dialog.getByRole("region", { name: "Left out" }))
  expect(out.getByText("2 left out")).toBeVisible()
  expect(out.getByText("1 needs cash · 1 within tolerance")).toBeVisible()
  expect(await out.findByText("Asked to wait")).toBeVisible()
})

test("is sent after one more confirmation, with the number that was shown, under one key", async () => {
  const shown = await review()
  const sent = answer("post", `${runPath}/send`, run({ state: "SENDING" }))
  await shown.user.refill(shown.dialog.getByLabelText("Rationale"), "Back to the model.")

  const question = await sendFrom(shown)

  expect(question).toHaveTextContent("7 orders: ₹90,000.00 to buy, ₹40,000.00 to sell.")
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({
    clients: 2,
    rationale: "Back to the model.",
    disclosures: { holdings: "", conflicts: "", compensation: "" },
    acknowledged: [],
  })
  expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  await waitFor(() =>
    expect(screen.queryByRole("dialog", { name: "Review and send" })).not.toBeInTheDocument(),
  )
})

test("a refusal is shown, and the text is kept when the dialog closes", async () => {
  const shown = await review()
  const refused = answerWith(
    "post",
    `${runPath}/send`,
    { success: false, message: "3 clients are included, not 2.", code: "selection_changed" },
    409,
  )
  await shown.user.fill(shown.dialog.getByLabelText("Rationale"), " And more.")
  await sendFrom(shown)
  expect(await screen.findByText("3 clients are included, not 2.")).toBeVisible()
  expect(refused).toHaveLength(1)

  await shown.user.click(shown.dialog.getByRole("button", { name: "Cancel" }))
  const again = await shown.reopen()

  expect(again.getByLabelText("Rationale")).toHaveValue("Software leads. And more.")
})

test("prices that are too old are not sent: the run is computed again with the same choices", async () => {
  const { user, dialog, router } = await review(run({ pricesGoodUntil: "2020-01-01T00:00:00Z" }))
  const begun = answer("post", "/admin/book-runs", run({ _id: "run-2", state: "COMPUTING" }))
  expect(dialog.getByRole("button", { name: "Send to 2 clients" })).toBeDisabled()

  await user.click(dialog.getByRole("button", { name: "Compute again" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/book/run-2"))
  expect(begun[0]?.body).toEqual({
    modelId: "model-1",
    versionId: "version-2",
    tolerancePercentage: 0.5,
    outside: "KEEP",
    options: run().options,
    after: "run-1",
  })
})

test("options that change nothing are shown as None", async () => {
  const plain = { bandPercentage: 0, minimumTradeValue: 0, priceBufferPercentage: 0 }
  const options = { ...plain, includeCharges: true, allowFreshFunds: true }
  const { dialog } = await review(run({ options }))

  expect(dialog.getByText("None")).toBeVisible()
})

test("the server may be the first to refuse old prices", async () => {
  const shown = await review()
  answerWith(
    "post",
    `${runPath}/send`,
    { success: false, message: "The prices are old.", code: "prices_too_old" },
    409,
  )

  await sendFrom(shown)

  expect(await shown.dialog.findByRole("button", { name: "Compute again" })).toBeVisible()
  expect(shown.dialog.getByRole("button", { name: "Send to 2 clients" })).toBeDisabled()
})
