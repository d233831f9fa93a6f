import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { session } from "@/api/session"
import { clientProfile } from "@/testing/clients"
import { consentsTo, kycOf } from "@/testing/papers"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

test("the way from a check opens the papers of the client that it names", async () => {
  signedIn()
  answer("get", "/admin/clients/client/:id/profile", clientProfile())
  answer("get", "/admin/clients/client/id-2/kyc", kycOf())
  answer("get", "/admin/clients/client/id-2/consents", [consentsTo()] as never)

  const { router } = await showApp("/home/client/papers?clientId=id-2&code=C0002", {
    role: "ADMIN",
  })

  expect(await screen.findByText("ABCPK1234F")).toBeVisible()
  expect([session.get("clientId"), session.get("username")]).toEqual(["id-2", "C0002"])
  expect(router.state.location.href).toBe("/home/client/papers")
})
