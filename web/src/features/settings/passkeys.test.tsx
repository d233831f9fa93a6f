import { screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { answer, answerWith, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"
import { PasskeysCard } from "./passkeys"
import SignInSettings from "./sign-in-settings"

const passkeys = vi.hoisted(() => ({ startRegistration: vi.fn() }))
vi.mock("@simplewebauthn/browser", () => passkeys)

const row = { _id: "p1", name: "Laptop", madeAt: "2026-11-20T10:00:00Z", usedAt: null }
const offered = () => answer("get", "/auth/sign-in", { hasPasskeys: true, sso: null })

test("a passkey is added under a name, and appears in the list", async () => {
  offered()
  answer("get", "/auth/passkeys", [])
  answer("post", "/auth/passkeys/begin", { options: { challenge: "AAAA" } })
  const added = answer("post", "/auth/passkeys", row)
  passkeys.startRegistration.mockResolvedValueOnce({ id: "of the device" })
  const { user } = await show(<PasskeysCard />)
  expect(await screen.findByText("Passkeys you add appear here.")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Add passkey" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add a passkey" }))
  await user.click(dialog.getByRole("button", { name: "Continue" }))
  expect(dialog.getByLabelText("Name")).toHaveAccessibleDescription(/Name is required/)
  answer("get", "/auth/passkeys", [row])
  await user.fill(dialog.getByLabelText("Name"), " Laptop ")
  await user.keyboard("{Enter}")

  expect(await screen.findByText("Laptop")).toBeVisible()
  expect(screen.getByText(/Added on 20 Nov 2026 · not used yet/)).toBeVisible()
  expect(added[0]?.body).toEqual({ name: "Laptop", credential: { id: "of the device" } })
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
})

test("who cancels the browser’s dialog may try again", async () => {
  offered()
  answer("get", "/auth/passkeys", [])
  answer("post", "/auth/passkeys/begin", { options: {} })
  const known = Object.assign(new Error("known"), { name: "InvalidStateError" })
  passkeys.startRegistration.mockRejectedValueOnce(new Error("turned away"))
  passkeys.startRegistration.mockRejectedValueOnce(known)
  const { user } = await show(<PasskeysCard />)
  await user.click(await screen.findByRole("button", { name: "Add passkey" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.fill(dialog.getByLabelText("Name"), "Laptop")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(toasts.get()[0]?.message).toBe("No passkey was added."))
  await user.click(dialog.getByRole("button", { name: "Continue" }))

  await waitFor(() =>
    expect(toasts.get().map(({ message }) => message)).toContain(
      "This device already has a passkey for your account.",
    ),
  )
  expect(dialog.getByLabelText("Name")).toHaveValue("Laptop")
})

test("a passkey is removed after a question", async () => {
  offered()
  answer("get", "/auth/passkeys", [row])
  const removed = answerWith("delete", "/auth/passkeys/:id", { success: true, message: "" })
  const { user } = await show(<PasskeysCard />)
  await user.click(await screen.findByRole("button", { name: "Remove Laptop" }))
  const question = within(await screen.findByRole("dialog", { name: "Remove this passkey?" }))
  answer("get", "/auth/passkeys", [])
  await user.click(question.getByRole("button", { name: "Remove" }))

  await waitFor(() => expect(removed[0]?.path).toMatch(/\/p1$/))
  expect(await screen.findByText("Passkeys you add appear here.")).toBeVisible()
})

test("without an address of the installation there is no card", async () => {
  const asked = answer("get", "/auth/sign-in", { hasPasskeys: false, sso: null })
  answer("get", "/auth/passkeys", [])
  await show(<PasskeysCard />)
  await waitFor(() => expect(asked).toHaveLength(1))

  expect(screen.queryByText("Passkeys")).not.toBeInTheDocument()
})

const settings = (changes = {}) => ({
  stepUp: false,
  stepUpMinutes: 10,
  userPasswords: true,
  ssoLabel: null,
  version: 1,
  ...changes,
})

test("an ADMIN turns the confirmation on", async () => {
  answer("get", "/admin/settings/sign-in", settings())
  const saved = answer("put", "/admin/settings/sign-in", settings({ stepUp: true, version: 2 }))
  const { user } = await show(<SignInSettings />)
  expect(await screen.findByText(/^Not set up/)).toBeVisible()
  expect(screen.queryByLabelText("A USER may also log in with a password")).not.toBeInTheDocument()

  await user.refill(screen.getByLabelText("A confirmation is good for (minutes)"), "61")
  await user.click(screen.getByLabelText("Confirm exports, broker keys and roles"))
  await user.click(screen.getByRole("button", { name: "Save" }))
  expect(screen.getByText("Enter 1 to 60 minutes")).toBeVisible()
  await user.refill(screen.getByLabelText("A confirmation is good for (minutes)"), "5")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() =>
    expect(saved[0]?.body).toEqual({
      stepUp: true,
      stepUpMinutes: 5,
      userPasswords: true,
      version: 1,
    }),
  )
})

test("with single sign-on the passwords of users can be turned off", async () => {
  answer("get", "/admin/settings/sign-in", settings({ ssoLabel: "Sahyadri ID" }))
  refuse("put", "/admin/settings/sign-in", 409, "This record was changed by someone else.")
  const { user } = await show(<SignInSettings />)
  expect(await screen.findByText(/^Set up as “Sahyadri ID”/)).toBeVisible()

  await user.click(screen.getByLabelText("A USER may also log in with a password"))
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() =>
    expect(toasts.get()[0]?.message).toBe("This record was changed by someone else."),
  )
})
