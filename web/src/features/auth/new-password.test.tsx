import { screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"
import { shownToasts } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"

const confirm = "/auth/forget-password/confirm/:token"
const password = () => screen.getByLabelText("Password")
const again = () => screen.getByLabelText("Confirm Password")
const submit = () => screen.getByRole("button", { name: "Reset Password" })
const done = { success: true, message: "Password reset successfully" }

async function reset(address = "/auth/forgot-password/mailed-token", state = {}) {
  const shown = await showApp(address, { state })
  await shown.user.fill(password(), "nine-birches-9")
  await shown.user.fill(again(), "nine-birches-9")
  await shown.user.click(submit())
  return shown
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

test("it says that the new password must differ from the previous one", async () => {
  await showApp("/auth/forgot-password/mailed-token")

  expect(screen.getByText("The new password must differ from the previous one.")).toBeVisible()
})

test.each([
  ["", "", "Password is required", "Confirm Password is required"],
  ["short-1", "short-1", "Password must be at least 8 characters", ""],
  ["longenough1", "longenough1", "Password must contain at least one special character", ""],
  ["long-enough", "long-enougH", "", "Passwords must match"],
  ["long-enough", "", "", "Confirm Password is required"],
])("%j and %j: %j, %j", async (first, second, fault, faultOfSecond) => {
  const { user } = await showApp("/auth/forgot-password/mailed-token")
  if (first) await user.fill(password(), first)
  if (second) await user.fill(again(), second)

  await user.click(submit())

  expect(password()).toHaveAccessibleDescription(expect.stringContaining(fault) as string)
  expect(again()).toHaveAccessibleDescription(faultOfSecond)
  await waitFor(() => expect(fault ? password() : again()).toHaveFocus())
})

test("both eyes show and hide what is typed", async () => {
  const { user } = await showApp("/auth/forgot-password/mailed-token")
  for (const [field, name] of [
    [password(), "password"],
    [again(), "confirm password"],
  ] as const) {
    expect(field).toHaveAttribute("type", "password")
    await user.click(screen.getByRole("button", { name: `Show ${name}` }))
    expect(field).toHaveAttribute("type", "text")
    await user.click(screen.getByRole("button", { name: `Hide ${name}` }))
    expect(field).toHaveAttribute("type", "password")
  }
})

describe("by the mailed link", () => {
  test("success shows the server's message and goes to the log-in", async () => {
    const calls = answerWith("post", confirm, done)

    const { router } = await reset()

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(shownToasts()).toEqual([["success", "centre", "Password reset successfully", 3000]])
    expect(calls[0]?.path).toBe("/api/v1/auth/forget-password/confirm/mailed-token")
    expect(calls[0]?.body).toEqual({ password: "nine-birches-9" })
  })

  test.each([
    ["Not now.", "Not now."],
    ["", "Failed to reset password"],
  ])("success false with %j warns %j", async (message, shown) => {
    answerWith("post", confirm, { success: false, message })

    const { router } = await reset()

    await waitFor(() => expect(shownToasts()).toEqual([["warning", "centre", shown, 3000]]))
    expect(router.state.location.pathname).toBe("/auth/forgot-password/mailed-token")
  })

  test.each([
    [
      "a refusal",
      () => refuse("post", confirm, 400, "The link has expired."),
      "The link has expired.",
    ],
    ["an error", () => refuse("post", confirm, 400, ""), "Something went wrong"],
    ["no connection", () => breakOff("post", confirm), "Something went wrong"],
  ])("%s shows a message, and what was typed stays", async (_, fail, message) => {
    fail()

    await reset()

    await waitFor(() => expect(shownToasts()).toEqual([["error", "centre", message, 3000]]))
    expect(password()).toHaveValue("nine-birches-9")
  })

  test("the server's message about the password is shown at its field", async () => {
    const message = "New password must differ from the previous one."
    refuse("post", confirm, 422, message, [{ field: "password", message }])

    await reset()

    await waitFor(() =>
      expect(password()).toHaveAccessibleDescription(expect.stringContaining(message) as string),
    )
  })
})

describe("after a first log-in", () => {
  const path = "/auth/reset-password"
  beforeEach(() => session.start("first-token", "USER"))

  test("the token goes with it, and the session is over afterwards", async () => {
    const calls = answerWith("post", path, done)

    const { router } = await reset(path)

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(calls[0]?.headers.get("Authorization")).toBe("Bearer first-token")
    expect(calls[0]?.body).toEqual({ password: "nine-birches-9", currentPassword: "" })
    expect([session.get("token"), session.get("role")]).toEqual([null, null])
  })

  test("an older session is asked for the present password as well", async () => {
    const message = "Enter your current password."
    const errors = [{ field: "currentPassword", message }]
    answerWith(
      "post",
      path,
      { success: false, message, code: "current_password_needed", errors },
      422,
    )
    const { user } = await reset(path)
    const current = await screen.findByLabelText("Current Password")
    await waitFor(() => expect(current).toHaveAccessibleDescription(message))
    expect(toasts.get()).toEqual([])

    const calls = answerWith("post", path, done)
    await user.fill(current, "seven oaks 7")
    await user.click(submit())

    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toEqual({ password: "nine-birches-9", currentPassword: "seven oaks 7" })
  })

  test("a session that is over leads to the log-in", async () => {
    refuse("post", path, 401, "Session expired. Please log in again.")

    const { router } = await reset(path)

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(shownToasts().map((each) => each[2])).toEqual(["Session expired. Please log in again."])
  })
})

describe("after a one-time code", () => {
  test("the right that came by navigation sets the password, and is in no address", async () => {
    const calls = answerWith("post", confirm, done)

    const { router } = await reset("/new-password", { resetToken: "earned-token" })

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(calls[0]?.path).toMatch(/\/confirm\/earned-token$/)
    expect(router.state.location.href).not.toContain("earned")
  })

  test("without it the user starts again", async () => {
    const { router } = await showApp("/new-password")

    expect(router.state.location.pathname).toBe("/auth/forgot-password")
  })
})
