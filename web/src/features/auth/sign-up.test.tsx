import { act, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"

const submit = () => screen.getByRole("button", { name: "Get Started" })

async function fillIn(password = "long enough") {
  const shown = await showApp("/auth/signup")
  await shown.user.fill(screen.getByLabelText("Name"), "Meera Nair")
  await shown.user.fill(screen.getByLabelText("Email"), "meera@example.in")
  await shown.user.fill(screen.getByLabelText("Password"), password)
  return shown
}
async function signUp(password?: string) {
  const { user } = await fillIn(password)
  await user.click(submit())
}

afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  answer("get", "/firm", firm)
  answer("get", "/auth/sign-up", { needsSetupCode: false })
})

test("empty fields show the specification's messages; no set-up code is asked for", async () => {
  const { user } = await showApp("/auth/signup")

  await user.click(submit())

  for (const message of ["Name is required", "Email is required", "Password is required"])
    expect(screen.getByText(message)).toBeVisible()
  expect(screen.queryByLabelText("Set-up code")).not.toBeInTheDocument()
})

test("a wrong e-mail and a short password are refused", async () => {
  const { user } = await showApp("/auth/signup")
  await user.fill(screen.getByLabelText("Email"), "meera")
  await user.fill(screen.getByLabelText("Password"), "1234567")
  await user.click(submit())

  expect(screen.getByText("Enter a valid email")).toBeVisible()
  expect(screen.getByText("Password must be at least 8 characters")).toBeVisible()
})

test("the checklist follows what is typed", async () => {
  const { user } = await showApp("/auth/signup")
  const checks = () =>
    within(screen.getByRole("list", { name: "The password has" }))
      .getAllByRole("listitem")
      .map((line) => line.textContent)

  expect(checks()).toEqual([
    "at least 8 characters, not yet",
    "at least one special character, not yet",
  ])
  await user.fill(screen.getByLabelText("Password"), "abc@")
  expect(checks()[1]).toBe("at least one special character, done")
  await user.fill(screen.getByLabelText("Password"), "efgh")
  expect(checks()[0]).toBe("at least 8 characters, done")
})

test("a special character is a hint, not a rule", async () => {
  const calls = answerWith("post", "/auth/register", {
    success: false,
    message: "Your account was created and awaits approval by an administrator.",
    accessToken: null,
    data: null,
  })

  await signUp("plainwords")

  expect(
    await screen.findByText("Your account was created and awaits approval by an administrator."),
  ).toBeVisible()
  expect(calls).toHaveLength(1)
  expect(session.get("token")).toBeNull()
})

test("the server's sentence is shown at its field and as a toast", async () => {
  refuse("post", "/auth/register", 422, "Password is too common.", [
    { field: "password", message: "Password is too common." },
  ])

  await signUp("password1")

  expect(await screen.findAllByText("Password is too common.")).toHaveLength(2)
  expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/Password is too common\./)
})

test("the set-up code is asked for where the first account needs it, and sent", async () => {
  answer("get", "/auth/sign-up", { needsSetupCode: true })
  const message = "The set-up code of this installation is needed for the first sign up."
  const calls = refuse("post", "/auth/register", 403, message, [{ field: "setupCode", message }])
  const { user } = await fillIn()
  await user.fill(await screen.findByLabelText("Set-up code"), "blue kite 42")

  await user.click(submit())

  await waitFor(() => expect(screen.getByLabelText("Set-up code")).toHaveFocus())
  expect(calls[0]?.body).toMatchObject({ setupCode: "blue kite 42" })
  expect(screen.getByLabelText("Set-up code")).toHaveAccessibleDescription(new RegExp(message))
})

test("it sends what was typed, keeps token and role, and opens the product a second after its success", async () => {
  const registered = {
    success: true,
    message: "Signup successful!",
    accessToken: "first-token",
    data: { role: "ADMIN" },
  }
  const sent = answerWith("post", "/auth/register", registered, 201)
  signedIn()
  answer("get", "/admin/dashboard/stats", null)
  answer("get", "/admin/dashboard/stocks-distribution", [])
  answer("get", "/admin/dashboard/daily-aum", [])
  const { router } = await fillIn()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

  fireEvent.click(submit())

  await vi.waitFor(
    async () => {
      await pass(0)
      expect(toasts.get()).toMatchObject([{ kind: "success", message: "Signup successful!" }])
    },
    { interval: 1, timeout: 5000 },
  )
  expect(sent[0]?.body).toEqual({
    name: "Meera Nair",
    email: "meera@example.in",
    password: "long enough",
  })
  expect([session.get("token"), session.get("role")]).toEqual(["first-token", "ADMIN"])
  await pass(980)
  expect(router.state.location.pathname).toBe("/auth/signup")
  await pass(20)
  // What would still wait now waits for ever.
  vi.useRealTimers()
  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test.each([
  ["Not now.", "Not now."],
  ["", "Signup failed."],
])("an answer with success false and %j warns %j", async (message, shown) => {
  answerWith("post", "/auth/register", { success: false, message, accessToken: null, data: null })

  await signUp()

  await waitFor(() => expect(toasts.get()).toMatchObject([{ kind: "warning", message: shown }]))
})

test("a failure without a message says that an error occurred", async () => {
  refuse("post", "/auth/register", 500, "")

  await signUp()

  expect(await screen.findByText("An error occurred.")).toBeVisible()
})
