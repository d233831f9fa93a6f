import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRow, pageOf } from "@/testing/clients"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

test("a client who waits for shares of a corporate action is marked", async () => {
  signedIn("USER")
  const waiting = clientRow({ _id: "id-2", clientId: "C0002", actionPending: true })
  answer("get", "/admin/clients", [clientRow(), waiting], pageOf(2))

  await showApp("/home/client/details", { role: "USER" })

  const row = await screen.findByRole("row", { name: /C0002/ })
  expect(within(row).getByText("Action pending")).toBeVisible()
  const other = screen.getByRole("row", { name: /C0001/ })
  expect(within(other).queryByText("Action pending")).toBeNull()
})
