import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const login = "/auth/login"
const submit = () => screen.getByRole("button", { name: "Log in" })
const code = () => screen.findByLabelText("Authenticator code")

const refuseAs = (status: number, code: string, message: string) =>
  answerWith("post", login, { success: false, message, code }, status)

const accepted = (data: Record<string, unknown>) =>
  answerWith("post", login, {
    success: true,
    accessToken: "fresh-token",
    data: {
      role: "USER",
      isFirstTimeLogin: false,
      isSecondFactorDue: false,
      name: "Meera",
      ...data,
    },
  })

async function logIn(address = "/auth/login") {
  const shown = await showApp(address)
  await shown.user.fill(screen.getByLabelText("Email"), "meera@example.in")
  await shown.user.fill(screen.getByLabelText("Password"), "long-enough")
  await shown.user.click(submit())
  return shown
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

test("Forgot Password leads to where a link is asked for", async () => {
  const { user, router } = await showApp("/auth/login")

  await user.click(screen.getByRole("link", { name: "Forgot Password" }))

  expect(await screen.findByRole("heading", { name: "Forgot password" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/auth/forgot-password")
})

test.each([true, null, undefined])(
  "a first login (isFirstTimeLogin %s) sets a password first, with its token kept",
  async (isFirstTimeLogin) => {
    accepted({ isFirstTimeLogin: isFirstTimeLogin ?? null })

    const { router } = await logIn()

    expect(await screen.findByRole("heading", { name: "Reset password" })).toBeVisible()
    expect(router.state.location.pathname).toBe("/auth/reset-password")
    expect([session.get("token"), session.get("role")]).toEqual(["fresh-token", "USER"])
  },
)

test("the code of the second factor is asked for once the password is right", async () => {
  signedIn()
  ownSettingsAnswered()
  refuseAs(401, "totp_required", "Enter the code of your authenticator app.")
  const { user, router } = await logIn("/auth/login?next=/home/settings")
  await waitFor(async () => expect(await code()).toHaveFocus())
  expect(await code()).toHaveAccessibleDescription(/Enter the code from your authenticator app/)
  expect(screen.queryByText("An error occurred.")).not.toBeInTheDocument()

  refuseAs(401, "totp_wrong", "The code is not right.")
  await user.fill(await code(), "000000")
  await user.keyboard("{Enter}")
  expect(await screen.findByText("The code is not right.")).toBeVisible()
  expect(await code()).toHaveValue("000000")

  const calls = accepted({})
  await user.clear(await code())
  await user.fill(await code(), "123 456")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/settings"))
  expect(calls[0]?.body).toEqual({
    email: "meera@example.in",
    password: "long-enough",
    totpCode: "123 456",
  })
})

test("where a second factor is due it is set up before the product opens", async () => {
  accepted({ isSecondFactorDue: true })

  const { router } = await logIn("/auth/login?next=/home/fees")

  expect(await screen.findByRole("heading", { name: "Set up the second factor" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/auth/second-factor")
  expect(router.state.location.search).toEqual({ next: "/home/fees" })
})

test("too many attempts show the server's message", async () => {
  refuseAs(429, "too_many_attempts", "Too many attempts. Try again in 8 seconds.")

  await logIn()

  expect(await screen.findByText("Too many attempts. Try again in 8 seconds.")).toBeVisible()
})

test("an address that needs a session leads to the log-in without one", async () => {
  for (const address of ["/auth/reset-password", "/auth/second-factor"]) {
    const { router, unmount } = await showApp(address)
    expect(router.state.location.pathname).toBe("/auth/login")
    unmount()
  }
})
