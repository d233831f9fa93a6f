import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import * as leave from "@/lib/leave"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"

const passkeys = vi.hoisted(() => ({ startAuthentication: vi.fn() }))
vi.mock("@simplewebauthn/browser", () => passkeys)

const entered = {
  success: true,
  accessToken: "fresh-token",
  data: { role: "USER", isFirstTimeLogin: false, isSecondFactorDue: false, name: "Meera Nair" },
}
const offers = (hasPasskeys: boolean, label?: string) =>
  answer("get", "/auth/sign-in", { hasPasskeys, sso: label === undefined ? null : { label } })

const refuseAs = (code: string, message: string) =>
  answerWith("post", "/auth/sso/session", { success: false, message, code }, 401)

/** What the dashboard asks for, where a log-in ends. */
function dashboard() {
  signedIn("USER")
  answer("get", "/admin/dashboard/stats", null)
  answer("get", "/admin/dashboard/stocks-distribution", [])
  answer("get", "/admin/dashboard/daily-aum", [])
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

test("what the installation does not offer is not shown", async () => {
  const asked = offers(false)
  await showApp("/auth/login")
  await waitFor(() => expect(asked).toHaveLength(1))

  expect(screen.queryByRole("button", { name: /passkey|Continue with/ })).not.toBeInTheDocument()
})

test("a passkey opens the address that was asked for", async () => {
  offers(true)
  answer("post", "/auth/passkeys/sign-in/begin", { options: { challenge: "AAAA" } })
  const calls = answerWith("post", "/auth/passkeys/sign-in", entered)
  passkeys.startAuthentication.mockResolvedValueOnce({ id: "of the device" })
  signedIn("USER")
  ownSettingsAnswered("USER")
  const { user, router } = await showApp("/auth/login?next=%2Fhome%2Fsettings")

  await user.click(await screen.findByRole("button", { name: "Log in with a passkey" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/settings"))
  expect(session.get("token")).toBe("fresh-token")
  expect(calls[0]?.body).toEqual({ credential: { id: "of the device" } })
})

test("a passkey that is refused says why", async () => {
  offers(true)
  answer("post", "/auth/passkeys/sign-in/begin", { options: {} })
  refuse("post", "/auth/passkeys/sign-in", 401, "This passkey was not accepted.")
  passkeys.startAuthentication.mockResolvedValueOnce({})
  const { user } = await showApp("/auth/login")

  await user.click(await screen.findByRole("button", { name: "Log in with a passkey" }))

  await waitFor(() => expect(toasts.get()[0]?.message).toBe("This passkey was not accepted."))
  expect(session.get("token")).toBeNull()
})

test("the single sign-on leaves for the provider, and for no other kind of address", async () => {
  const left = vi.spyOn(leave, "leaveTo").mockReturnValue()
  offers(false, "Sahyadri ID")
  const address = "https://id.example/authorize?state=x"
  answer("post", "/auth/sso/begin", { address })
  const { user } = await showApp("/auth/login")
  const button = await screen.findByRole("button", { name: "Continue with Sahyadri ID" })

  await user.click(button)
  await waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith(address))
  const begun = answer("post", "/auth/sso/begin", { address: "data:text/html,x" })
  await user.click(button)
  await waitFor(() => expect(begun).toHaveLength(1))
  expect(left).toHaveBeenCalledTimes(1)
  left.mockRestore()
})

test("after the single sign-on the address that was asked for opens", async () => {
  const left = vi.spyOn(leave, "leaveTo").mockReturnValue()
  offers(false, "Sahyadri ID")
  answer("post", "/auth/sso/begin", { address: "https://id.example/authorize" })
  const { user } = await showApp("/auth/login?next=%2Fhome%2Fsettings")
  await user.click(await screen.findByRole("button", { name: "Continue with Sahyadri ID" }))
  await waitFor(() => expect(left).toHaveBeenCalledTimes(1))
  left.mockRestore()

  answerWith("post", "/auth/sso/session", entered)
  signedIn("USER")
  ownSettingsAnswered("USER")
  const { router } = await showApp("/auth/sso")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/settings"))
  expect(session.get("next")).toBeNull()
})

test("back from the provider the session opens, once", async () => {
  const calls = answerWith("post", "/auth/sso/session", entered)
  dashboard()
  const { router } = await showApp("/auth/sso")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/dashboard"))
  expect(session.get("token")).toBe("fresh-token")
  expect(calls).toHaveLength(1)
})

test("a refused return says why, and leads back", async () => {
  const message = "There is no account with your email address here."
  refuse("post", "/auth/sso/session", 403, message)
  await showApp("/auth/sso")

  expect(await screen.findByText(message)).toBeVisible()
  expect(screen.getByRole("link", { name: "Back to log in" })).toHaveAttribute(
    "href",
    "/auth/login",
  )
})

test("an account with a second factor is asked for its code", async () => {
  refuseAs("totp_required", "Enter the code.")
  dashboard()
  const { user, router } = await showApp("/auth/sso")
  const code = await screen.findByLabelText("Authenticator code")

  refuseAs("totp_wrong", "The code is incorrect.")
  await user.fill(code, "000000")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(toasts.get()[0]?.message).toBe("The code is incorrect."))
  const calls = answerWith("post", "/auth/sso/session", entered)
  await user.refill(code, "123456")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/dashboard"))
  expect(calls[0]?.body).toEqual({ totpCode: "123456" })
})
