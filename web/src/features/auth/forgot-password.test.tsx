import { act, screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { answer, answerLater, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"
import { shownToasts } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"

const request = "/auth/forget-password/request"
const email = () => screen.getByLabelText("Email")
const button = (name = "Continue") => screen.getByRole("button", { name })

async function ask(address = "meera@example.in") {
  const shown = await showApp("/auth/forgot-password")
  await shown.user.fill(email(), address)
  await shown.user.click(button())
  return shown
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

test.each([
  ["", "Email is required"],
  ["meera@", "Enter a valid email"],
])("%j is refused with %j and the field has the focus", async (typed, message) => {
  const { user } = await showApp("/auth/forgot-password")
  if (typed) await user.fill(email(), typed)

  await user.click(button())

  expect(email()).toHaveAccessibleDescription(message)
  await waitFor(() => expect(email()).toHaveFocus())
  expect(toasts.get()).toEqual([])
})

test("while it sends the button waits; two seconds after success it is ready again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] })
  try {
    const { answerNow, calls } = answerLater("post", request, null)
    await ask(" meera@example.in ")

    expect(button("Please wait...")).toBeDisabled()
    answerNow()
    await waitFor(() => expect(button()).toBeDisabled())
    expect(shownToasts()).toEqual([["success", "centre", "Reset link sent to your email", 3000]])
    expect(screen.getByRole("status")).toHaveTextContent("The link works for 30 minutes.")
    expect(calls[0]?.body).toEqual({ email: "meera@example.in" })
    await act(() => vi.advanceTimersByTimeAsync(1800))
    expect(button()).toBeDisabled()
    await act(() => vi.advanceTimersByTimeAsync(300))
    expect(button()).toBeEnabled()
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  ["Not now.", "Not now."],
  ["", "Failed to send reset link"],
])("success false with %j warns %j", async (message, shown) => {
  answerWith("post", request, { success: false, message })

  await ask()

  await waitFor(() => expect(shownToasts()).toEqual([["warning", "centre", shown, 3000]]))
  expect(button()).toBeEnabled()
})

test.each([
  ["fails", () => refuse("post", request, 500, "The database is busy."), "Something went wrong"],
  ["reaches nothing", () => breakOff("post", request), "Something went wrong"],
  [
    "comes too often",
    () => refuse("post", request, 429, "Try again in 60 s."),
    "Try again in 60 s.",
  ],
])("a request that %s says so", async (_, fail, message) => {
  fail()

  await ask()

  await waitFor(() => expect(shownToasts()).toEqual([["error", "centre", message, 3000]]))
  expect(button()).toBeEnabled()
})

test("a one-time code is asked for with the address that was typed", async () => {
  const calls = answer("post", "/auth/otp/request", { challengeId: "c".repeat(32) })
  const { user, router } = await showApp("/auth/forgot-password")
  await user.click(button("Use a one-time code"))
  expect(email()).toHaveAccessibleDescription("Email is required")
  expect(calls).toHaveLength(0)

  await user.fill(email(), "meera@example.in")
  await user.click(button("Use a one-time code"))

  expect(await screen.findByText(/were sent to meera@example.in/)).toBeVisible()
  expect(router.state.location.href).toBe("/auth/otp")
  expect(calls[0]?.body).toEqual({ email: "meera@example.in" })
})
