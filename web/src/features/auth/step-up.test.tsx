import { screen, waitFor, within } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { afterEach, expect, test, vi } from "vitest"
import { answerOf, api } from "@/api/client"
import { fileOf } from "@/api/files"
import { session } from "@/api/session"
import { pendingStepUp } from "@/api/step-up"
import { answer, answerWith, refuse, server } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"

const passkeys = vi.hoisted(() => ({ startAuthentication: vi.fn() }))
vi.mock("@simplewebauthn/browser", () => passkeys)

/** A call that is refused until a proof was given; the bodies that reached it. */
function guarded(method: "get" | "post", path: string, body: () => Response) {
  const seen = { isProved: false, calls: [] as { body: string; headers: Headers }[] }
  server.use(
    http[method](`*/api/v1${path}`, async ({ request }) => {
      seen.calls.push({ body: await request.text(), headers: request.headers })
      if (seen.isProved) return body()
      return HttpResponse.json(
        { success: false, message: "Confirm that it is you.", code: "STEP_UP_REQUIRED" },
        { status: 403 },
      )
    }),
  )
  return seen
}

const ways = (hasTotp = false, hasPasskey = false) =>
  answer("get", "/auth/step-up", { hasTotp, hasPasskey })

async function dialog() {
  const asked = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }))
  await asked.findByLabelText("Password")
  return asked
}

afterEach(() => pendingStepUp.get()?.answer(false))

const brokers = () =>
  guarded("post", "/brokers/add", () => HttpResponse.json({ success: true, data: {} }))

const addBroker = () =>
  answerOf(
    api.POST("/brokers/add", {
      body: { name: "ZERODHA", apiKey: "key" } as never,
      headers: { "Idempotency-Key": "once" },
    }),
  )

test("a call that needs a proof asks for it, and is then repeated", async () => {
  ways()
  session.set("token", "kept")
  const seen = brokers()
  const proofs = answerWith("post", "/auth/step-up", { success: true, message: "Confirmed" })
  const { user } = await show(<main />)
  const call = addBroker()
  const asked = await dialog()

  expect(asked.getByLabelText("Password")).toHaveFocus()
  await user.click(asked.getByRole("button", { name: "Confirm" }))
  expect(asked.getByLabelText("Password")).toHaveAccessibleDescription("Password is required")
  expect(asked.queryByLabelText("Authenticator code")).not.toBeInTheDocument()
  expect(asked.queryByRole("button", { name: "Use a passkey" })).not.toBeInTheDocument()
  await user.fill(asked.getByLabelText("Password"), "seven oaks 7")
  seen.isProved = true
  await user.keyboard("{Enter}")

  expect(await call).toMatchObject({ success: true })
  expect(proofs[0]?.body).toEqual({ password: "seven oaks 7", totpCode: "" })
  expect(seen.calls).toHaveLength(2)
  expect(seen.calls[1]?.body).toBe(seen.calls[0]?.body)
  expect(seen.calls[1]?.headers.get("Idempotency-Key")).toBe("once")
  expect(seen.calls[1]?.headers.get("Authorization")).toBe("Bearer kept")
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
})

test("a download is repeated too", async () => {
  ways()
  const seen = guarded("get", "/clients/export", () => new HttpResponse("a,b"))
  answerWith("post", "/auth/step-up", { success: true, message: "" })
  const { user } = await show(<main />)
  const file = fileOf(
    api.GET("/clients/export", { params: { query: { format: "csv" } }, parseAs: "blob" }),
  )
  const asked = await dialog()
  seen.isProved = true
  await user.fill(asked.getByLabelText("Password"), "seven oaks 7")
  await user.keyboard("{Enter}")

  expect(await (await file).content.text()).toBe("a,b")
})

test("several calls at once share one dialog", async () => {
  ways()
  const seen = brokers()
  answerWith("post", "/auth/step-up", { success: true, message: "" })
  const { user } = await show(<main />)
  const calls = Promise.all([addBroker(), addBroker()])
  const asked = await dialog()
  await waitFor(() => expect(seen.calls).toHaveLength(2))
  expect(screen.getAllByRole("dialog")).toHaveLength(1)
  seen.isProved = true
  await user.fill(asked.getByLabelText("Password"), "seven oaks 7")
  await user.keyboard("{Enter}")

  expect(await calls).toHaveLength(2)
  expect(seen.calls).toHaveLength(4)
})

test("who cancels is refused, and nothing is called again", async () => {
  ways()
  const seen = brokers()
  const { user } = await show(<main />)
  const call = addBroker().catch((error: unknown) => error)
  await user.click((await dialog()).getByRole("button", { name: "Cancel" }))

  expect(await call).toMatchObject({ status: 403, message: "Confirm that it is you." })
  expect(seen.calls).toHaveLength(1)
})

test("a wrong password and a wrong code are shown at their fields", async () => {
  ways(true)
  brokers()
  const message = "The password is not right."
  refuse("post", "/auth/step-up", 422, message, [{ field: "password", message }])
  const { user } = await show(<main />)
  const call = addBroker().catch(() => "refused")
  const asked = await dialog()
  await user.fill(asked.getByLabelText("Password"), "not this one")
  await user.click(asked.getByRole("button", { name: "Confirm" }))
  expect(asked.getByLabelText("Authenticator code")).toHaveAccessibleDescription(/Enter the code/)
  await user.fill(asked.getByLabelText("Authenticator code"), "000000")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(asked.getByLabelText("Password")).toHaveAccessibleDescription(message))
  expect(toasts.get()).toEqual([])
  await user.click(asked.getByRole("button", { name: "Cancel" }))
  expect(await call).toBe("refused")
})

test("a passkey is a proof", async () => {
  ways(false, true)
  const seen = brokers()
  answer("post", "/auth/step-up/passkey/begin", { options: { challenge: "AAAA" } })
  const proofs = answerWith("post", "/auth/step-up/passkey", { success: true, message: "" })
  passkeys.startAuthentication.mockRejectedValueOnce(new Error("turned away"))
  passkeys.startAuthentication.mockResolvedValueOnce({ id: "of the device" })
  const { user } = await show(<main />)
  const call = addBroker()
  const asked = await dialog()

  await user.click(asked.getByRole("button", { name: "Use a passkey" }))
  await waitFor(() =>
    expect(toasts.get()[0]?.message).toBe("No passkey was used. Try again, or use your password."),
  )
  seen.isProved = true
  await user.click(asked.getByRole("button", { name: "Use a passkey" }))

  expect(await call).toMatchObject({ success: true })
  expect(passkeys.startAuthentication).toHaveBeenLastCalledWith({
    optionsJSON: { challenge: "AAAA" },
  })
  expect(proofs[0]?.body).toEqual({ credential: { id: "of the device" } })
})
