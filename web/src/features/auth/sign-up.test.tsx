import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"

const submit = () => screen.getByRole("button", { name: "Get Started" })

async function signUp(password = "long enough") {
  const shown = await showApp("/auth/signup")
  await shown.user.fill(screen.getByLabelText("Name"), "Meera Nair")
  await shown.user.fill(screen.getByLabelText("Email"), "meera@example.in")
  await shown.user.fill(screen.getByLabelText("Password"), password)
  await shown.user.click(submit())
  return shown
}

beforeEach(() => {
  answer("get", "/firm", firm)
  answer("get", "/auth/sign-up", { needsSetupCode: false })
})

test("empty fields are refused in the specification's words", async () => {
  const { user } = await showApp("/auth/signup")

  await user.click(submit())

  for (const message of ["Name is required", "Email is required", "Password is required"]) {
    expect(screen.getByText(message)).toBeVisible()
  }
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
  const { user } = await showApp("/auth/signup")
  await user.fill(await screen.findByLabelText("Set-up code"), "blue kite 42")
  await user.fill(screen.getByLabelText("Name"), "Meera Nair")
  await user.fill(screen.getByLabelText("Email"), "meera@example.in")
  await user.fill(screen.getByLabelText("Password"), "long enough")

  await user.click(submit())

  await waitFor(() => expect(screen.getByLabelText("Set-up code")).toHaveFocus())
  expect(calls[0]?.body).toMatchObject({ setupCode: "blue kite 42" })
  expect(screen.getByLabelText("Set-up code")).toHaveAccessibleDescription(new RegExp(message))
})

test("elsewhere no set-up code is asked for", async () => {
  await showApp("/auth/signup")

  expect(screen.queryByLabelText("Set-up code")).not.toBeInTheDocument()
})
