import { screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const path = "/auth/login"
const invalid = "Invalid email or password"
const email = () => screen.getByLabelText("Email")
const password = () => screen.getByLabelText("Password")
const submit = () => screen.getByRole("button", { name: "Log in" })

const accepted = (data: Record<string, unknown> = {}) =>
  answerWith("post", path, {
    success: true,
    accessToken: "fresh-token",
    data: {
      role: "USER",
      isFirstTimeLogin: false,
      isSecondFactorDue: false,
      name: "Meera Nair",
      ...data,
    },
  })

async function logIn(address = "/auth/login") {
  const shown = await showApp(address)
  await shown.user.fill(email(), "meera@example.in")
  await shown.user.fill(password(), "long-enough")
  await shown.user.click(submit())
  return shown
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

describe("log in", () => {
  test("empty fields are refused in the specification's words, and the first has the focus", async () => {
    const { user } = await showApp("/auth/login")

    await user.click(submit())

    expect(screen.getByText("Email is required")).toBeVisible()
    expect(screen.getByText("Password is required")).toBeVisible()
    await waitFor(() => expect(email()).toHaveFocus())
    expect(email()).toHaveAccessibleDescription("Email is required")
  })

  test("a field is checked when it is left", async () => {
    const { user } = await showApp("/auth/login")

    await user.fill(email(), "meera@")
    expect(screen.queryByText("Enter a valid email")).not.toBeInTheDocument()
    await user.tab()

    expect(screen.getByText("Enter a valid email")).toBeVisible()
  })

  test.each(["ADMIN", "USER"])(
    "%s comes to the dashboard with token and role kept",
    async (role) => {
      const calls = accepted({ role })
      signedIn(role as "ADMIN" | "USER")
      answer("get", "/admin/dashboard/stats", null)
      answer("get", "/admin/dashboard/stocks-distribution", [])
      answer("get", "/admin/dashboard/daily-aum", [])

      const { router } = await logIn()

      expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
      expect(router.state.location.pathname).toBe("/home/dashboard")
      expect(calls[0]?.body).toEqual({ email: "meera@example.in", password: "long-enough" })
      expect([session.get("token"), session.get("role")]).toEqual(["fresh-token", role])
    },
  )

  test("a client may not come in", async () => {
    accepted({ role: "CLIENT" })

    await logIn()

    expect(await screen.findByText("Only admin can login")).toBeVisible()
    expect(session.get("token")).toBeNull()
  })

  test.each([
    ["the server's message", () => refuse("post", path, 401, invalid), invalid],
    ["the wait", () => refuse("post", path, 429, "Try again in 8 s."), "Try again in 8 s."],
    ["an error, without a message", () => refuse("post", path, 500, ""), "An error occurred."],
    [
      "that there is no connection",
      () => breakOff("post", path),
      "Network error. Check your connection and try again.",
    ],
  ])("a failure shows %s, and what was typed stays", async (_, fail, message) => {
    fail()

    await logIn()

    expect(await screen.findByText(message)).toBeVisible()
    expect(email()).toHaveValue("meera@example.in")
    expect(password()).toHaveValue("long-enough")
  })

  test("Remember Me keeps the e-mail on this device, and no password", async () => {
    refuse("post", path, 401, invalid)
    const { user, unmount } = await showApp("/auth/login")
    await user.fill(email(), "meera@example.in")
    await user.fill(password(), "long-enough")
    await user.click(screen.getByLabelText("Remember Me"))
    await user.click(submit())
    await screen.findByText(invalid)
    unmount()

    await showApp("/auth/login")

    expect(email()).toHaveValue("meera@example.in")
    expect(password()).toHaveValue("")
    expect(JSON.stringify(localStorage)).not.toContain("long-enough")
  })

  test("the eye shows and hides the password", async () => {
    const { user } = await showApp("/auth/login")
    await user.fill(password(), "long-enough")
    expect(password()).toHaveAttribute("type", "password")

    await user.click(screen.getByRole("button", { name: "Show password" }))
    expect(password()).toHaveAttribute("type", "text")

    await user.click(screen.getByRole("button", { name: "Hide password" }))
    expect(password()).toHaveAttribute("type", "password")
  })
})

const code = () => screen.findByLabelText("Authenticator code")
const refuseAs = (code: string, message: string) =>
  answerWith("post", path, { success: false, message, code }, 401)

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
  refuseAs("totp_required", "Enter the code of your authenticator app.")
  const { user, router } = await logIn("/auth/login?next=/home/settings")
  await waitFor(async () => expect(await code()).toHaveFocus())
  expect(await code()).toHaveAccessibleDescription(/Enter the code from your authenticator app/)
  expect(screen.queryByText("An error occurred.")).not.toBeInTheDocument()

  refuseAs("totp_wrong", "The code is not right.")
  await user.fill(await code(), "000000")
  await user.keyboard("{Enter}")
  expect(await screen.findByText("The code is not right.")).toBeVisible()
  expect(await code()).toHaveValue("000000")

  const calls = accepted({})
  await user.refill(await code(), "123 456")
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

test("an address that needs a session leads to the log-in without one", async () => {
  for (const address of ["/auth/reset-password", "/auth/second-factor"]) {
    const { router, unmount } = await showApp(address)
    expect(router.state.location.pathname).toBe("/auth/login")
    unmount()
  }
})
