import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { SyncButton, SyncNote } from "./sync-client"

const path = "/admin/clients/client/id-1"

const statement = {
  outcome: "DONE",
  reason: "",
  triedAt: "2026-11-21T05:00:00Z",
  syncedAt: "2026-11-21T05:00:00Z",
  net: 0,
  collateral: 0,
  lines: [
    { symbol: "INFY", isMapped: true },
    { symbol: "XYZ", isMapped: false },
  ],
  changes: [{ _id: "1" }, { _id: "2" }],
}

test("a click reads the client from the broker", async () => {
  const calls = answer("post", `${path}/sync`, {}, { message: "Synced from the broker" })
  const { user } = await show(<SyncButton clientId="id-1" />)

  await user.click(screen.getByRole("button", { name: "Sync now" }))

  expect(await screen.findByText("Synced from the broker")).toBeVisible()
  expect(calls[0]?.body).toEqual({ acceptEmpty: false })
})

test("the reason for a failed sync is shown", async () => {
  refuse("post", `${path}/sync`, 409, "The client is not logged in at the broker.")
  const { user } = await show(<SyncButton clientId="id-1" />)

  await user.click(screen.getByRole("button", { name: "Sync now" }))

  expect(await screen.findByText("The client is not logged in at the broker.")).toBeVisible()
})

test("after a sync, its age and the open problems are shown", async () => {
  answer("get", `${path}/broker-statement`, statement)
  await show(<SyncNote clientId="id-1" source="ZERODHA" />)

  expect(await screen.findByText(/^Synced .* ago$/)).toBeVisible()
  const flag = screen.getByRole("link", { name: "2 unexplained changes, 1 unknown stock" })
  expect(flag).toHaveAttribute("href", "/home/readiness")
})

test("holdings from a file show no sync", async () => {
  await show(<SyncNote clientId="id-1" source="IMPORT" />)

  expect(screen.queryByText(/Synced/)).not.toBeInTheDocument()
})
