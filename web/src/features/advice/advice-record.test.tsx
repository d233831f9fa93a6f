import { screen, waitFor, within } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { beforeEach, expect, test } from "vitest"
import { chooseClient, session } from "@/api/session"
import { pageOf } from "@/testing/clients"
import { advice, historyPath as path } from "@/testing/sent-advice"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { AdviceHistory } from "./advice-history"

const Shown = () => <AdviceHistory page={1} range={null} onView={() => undefined} />

beforeEach(() => chooseClient("id-1", "C0001"))

const verified = {
  _id: "a",
  holds: true,
  sealedAt: "2026-11-19T20:30:00Z",
  sealedAs: "SENT",
  seq: 4,
  hash: "beef",
  fingerprint: "0123456789abcdef",
  engine: "tarazu 0.1.0",
  checks: [
    { name: "Signature", holds: true, message: "Ed25519, key 0123456789abcdef." },
    { name: "Rebalance", holds: null, message: "The advice was sent without a rebalance of ours." },
  ],
}

const verify = async (user: UserEvent) =>
  user.click(await screen.findByRole("button", { name: "Verify the record of 20/11/2026" }))

test("a record is verified point by point", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  answer("get", "/admin/advice/a/verify", verified)
  const { user } = await show(<Shown />)

  await verify(user)

  const dialog = await screen.findByRole("dialog", { name: "Record of 20/11/2026" })
  expect(
    await within(dialog).findByText("The advice is unchanged since it was sealed."),
  ).toBeVisible()
  expect(within(dialog).getByText("Ed25519, key 0123456789abcdef.")).toBeVisible()
  expect(within(dialog).getByLabelText("Not checked")).toBeVisible()
})

test("a record that fails verification says where", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  const checks = [{ name: "Letter", holds: false, message: "The letter is not the one." }]
  answer("get", "/admin/advice/a/verify", { ...verified, holds: false, checks })
  const { user } = await show(<Shown />)

  await verify(user)

  expect(await screen.findByText("The advice has changed since it was sealed.")).toBeVisible()
  expect(screen.getByText("The letter is not the one.")).toBeVisible()
  expect(screen.getByLabelText("Failed")).toBeVisible()
})

test("a record that cannot be verified says why, and can be asked again", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  refuse("get", "/admin/advice/a/verify", 409, "This advice is not sealed.")
  const { user } = await show(<Shown />)
  await verify(user)
  expect(await screen.findByText("This advice is not sealed.")).toBeVisible()

  answer("get", "/admin/advice/a/verify", verified)
  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await screen.findByText("The advice is unchanged since it was sealed.")).toBeVisible()
})

test("an ADMIN sends a failed mail again, and nobody else", async () => {
  const delivery = { status: "FAILED" as const, at: "2026-11-19T20:31:00Z", error: "Mailbox full" }
  answer("get", path, [advice("a", { delivery })], pageOf(1, 200))
  const calls = answer("post", "/admin/advice/a/resend", { status: "QUEUED", at: "", error: null })
  const { unmount } = await show(<Shown />)
  await screen.findByText("FAILED")
  expect(screen.queryByRole("button", { name: "Resend" })).toBeNull()
  unmount()
  session.start("token-of-the-test", "ADMIN")
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: "Resend" }))

  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]!.headers.get("Idempotency-Key")).toBeTruthy()
})
