import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { session } from "@/api/session"
import { clientProfile, clientRow, pageOf } from "@/testing/clients"
import { awaiting } from "@/testing/connections"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const waiting = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    _id: `id-${place}`,
    clientId: `C000${place}`,
    name: `Client ${place}`,
    reportedId: `AB${place}`,
  }))

test("the list names whose ID is to be confirmed, and leads there", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))
  answer("get", "/admin/clients/broker-ids-to-confirm", waiting(6))
  const { user, router } = await showApp("/home/client/details", { role: "ADMIN" })

  const notice = await screen.findByText(/Broker IDs to confirm:/)
  expect(notice).toHaveTextContent("Client 0, Client 1, Client 2, Client 3, Client 4 and 1 more")
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  answer("get", "/admin/clients/client/id-1/connection", awaiting())
  answer("get", "/admin/remarks/client/id-1", [])
  await user.click(screen.getByRole("link", { name: "Client 1" }))

  expect(router.state.location.pathname).toBe("/home/client/profile")
  expect(session.get("clientId")).toBe("id-1")
  expect(await screen.findByRole("button", { name: "Confirm" })).toBeVisible()
})

test("nobody waits: nothing is said", async () => {
  signedIn()
  answer("get", "/admin/clients", [clientRow()], pageOf(1))
  await showApp("/home/client/details", { role: "ADMIN" })

  await screen.findByRole("row", { name: /C0001/ })
  expect(screen.queryByText(/to confirm/)).toBeNull()
})
