import { act, screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"
import { shownToasts } from "@/testing/toasts"

const verify = "/auth/otp/verify"
const boxes = () => screen.getAllByRole<HTMLInputElement>("textbox", { name: /^Digit \d of 4$/ })
const typed = () => boxes().map((box) => box.value)
const button = () => screen.getByRole("button", { name: "Verify" })
const resend = () => screen.getByRole("button", { name: "Resend OTP" })
const challengeOf = (id: string) => ({
  challenge: { email: "meera@example.in", challengeId: id, askedAt: Date.now() },
})

const open = () => showApp("/auth/otp", { state: challengeOf("challenge-1") })

beforeEach(() => {
  answer("get", "/firm", firm)
})
afterEach(() => void vi.useRealTimers())

test("typing goes on, Backspace goes back, arrows move", async () => {
  const { user } = await open()
  expect(boxes()[0]).toHaveFocus()

  await user.keyboard("12a3")
  expect(typed()).toEqual(["1", "2", "3", ""])
  expect(boxes()[3]).toHaveFocus()
  await user.keyboard("{Backspace}")
  expect(typed()).toEqual(["1", "2", "", ""])
  expect(boxes()[2]).toHaveFocus()
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}")
  expect(boxes()[0]).toHaveFocus()
  await user.keyboard("9{ArrowRight}78")
  expect(typed()).toEqual(["9", "2", "7", "8"])
  await user.click(boxes()[1] as HTMLInputElement)
  await user.keyboard("{Backspace}5")
  expect(typed()).toEqual(["9", "5", "7", "8"])
})

test.each([
  ["4821", ["4", "8", "2", "1"]],
  ["Your code: 48 21.", ["4", "8", "2", "1"]],
  ["48", ["4", "8", "", ""]],
  ["none", ["", "", "", ""]],
])("pasting %j fills the boxes", async (text, digits) => {
  const { user } = await open()

  await user.paste(text)

  expect(typed()).toEqual(digits)
})

test("an incomplete code is not sent", async () => {
  const { user } = await open()
  await user.keyboard("123")

  await user.click(button())

  expect(screen.getByRole("alert")).toHaveTextContent("Please enter the complete OTP")
  await user.keyboard("4")
  expect(screen.queryByRole("alert")).not.toBeInTheDocument()
})

test("a wrong code shows an error, empties the boxes and focuses the first", async () => {
  const calls = answerWith(
    "post",
    verify,
    { success: false, message: "Invalid OTP. Please try again.", code: "otp_invalid" },
    400,
  )
  const { user } = await open()
  await user.keyboard("1234{Enter}")

  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid OTP. Please try again.")
  expect(typed()).toEqual(["", "", "", ""])
  await waitFor(() => expect(boxes()[0]).toHaveFocus())
  expect(boxes()[0]).toHaveAccessibleDescription("Invalid OTP. Please try again.")
  expect(calls[0]?.body).toEqual({ challengeId: "challenge-1", code: "1234" })
})

test("the right code leads to the new password after three seconds, without a word in the address", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] })
  answer("post", verify, { resetToken: "earned-token" })
  const { user, router } = await open()
  await user.keyboard("1234{Enter}")

  await waitFor(() =>
    expect(shownToasts()).toEqual([["success", "centre", "OTP verified successfully!", 3000]]),
  )
  expect(button()).toBeDisabled()
  await act(() => vi.advanceTimersByTimeAsync(2500))
  expect(router.state.location.pathname).toBe("/auth/otp")
  await act(() => vi.advanceTimersByTimeAsync(600))
  // What would still wait now waits for ever.
  vi.useRealTimers()
  await waitFor(() => expect(router.state.location.href).toBe("/new-password"))
  expect(router.state.location.state.resetToken).toBe("earned-token")
  expect(await screen.findByRole("heading", { name: "Reset password" })).toBeVisible()
})

test.each([
  ["a refusal", () => refuse("post", verify, 429, "Try again in 9 s."), "Try again in 9 s."],
  ["an error", () => refuse("post", verify, 500, "Disk full"), "Something went wrong"],
  ["no connection", () => breakOff("post", verify), "Something went wrong"],
])("%s shows a message and keeps the code", async (_, fail, message) => {
  fail()
  const { user } = await open()
  await user.keyboard("1234{Enter}")

  await waitFor(() => expect(shownToasts()).toEqual([["error", "centre", message, 3000]]))
  expect(typed()).toEqual(["1", "2", "3", "4"])
})

test("another code can be had after sixty seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const calls = answer("post", "/auth/otp/request", { challengeId: "challenge-2" })
  const { user, router } = await open()
  await user.keyboard("12")
  expect(resend()).toBeDisabled()
  expect(screen.getByText("in 60 s")).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(58_000))
  expect(resend()).toBeDisabled()
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(resend()).toBeEnabled()

  await user.click(resend())

  await waitFor(() => expect(resend()).toBeDisabled())
  expect(calls[0]?.body).toEqual({ email: "meera@example.in" })
  expect(router.state.location.state.challenge?.challengeId).toBe("challenge-2")
  expect(typed()).toEqual(["", "", "", ""])
})

test("who comes without an address gives it first", async () => {
  const calls = answer("post", "/auth/otp/request", { challengeId: "challenge-1" })
  const { user } = await showApp("/auth/otp")
  await user.click(screen.getByRole("button", { name: "Continue" }))
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Email is required")

  await user.fill(screen.getByLabelText("Email"), "meera@example.in")
  await user.keyboard("{Enter}")

  expect(await screen.findByText(/were sent to meera@example.in/)).toBeVisible()
  expect(calls).toHaveLength(1)
})
