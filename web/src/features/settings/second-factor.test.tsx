import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, answerWith, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"
import { SecondFactorCard } from "./second-factor"

const standing = (isOn: boolean, isRequired = false, recoveryCodesLeft = 10) =>
  answer("get", "/auth/totp", { isOn, isRequired, recoveryCodesLeft })
const codes = Array.from({ length: 10 }, (_, place) => `abcd${place}-fghjk`)
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
const uri = `otpauth://totp/Tarazu:meera%40example.in?secret=${secret}&issuer=Tarazu`

test("the set-up: password, code from the app, recovery codes", async () => {
  standing(false)
  const begun = answer("post", "/auth/totp/enrol", { secret, uri })
  const confirmed = answer("post", "/auth/totp/confirm", { recoveryCodes: codes })
  const { user } = await show(<SecondFactorCard />)
  await user.click(await screen.findByRole("button", { name: "Set up" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Set up the second factor" }))

  await user.click(dialog.getByRole("button", { name: "Continue" }))
  expect(dialog.getByLabelText("Password")).toHaveAccessibleDescription("Password is required")
  await user.fill(dialog.getByLabelText("Password"), "seven oaks 7")
  await user.keyboard("{Enter}")
  expect(await dialog.findByRole("img", { name: /^QR code/ })).toBeVisible()
  expect(dialog.getByText("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")).toBeVisible()
  expect(dialog.getByRole("link")).toHaveAttribute("href", uri)
  expect(begun[0]?.body).toEqual({ password: "seven oaks 7" })

  await user.click(dialog.getByRole("button", { name: "Confirm" }))
  expect(dialog.getByLabelText("Code")).toHaveAccessibleDescription(/Enter the code/)
  standing(true)
  await user.fill(dialog.getByLabelText("Code"), "123456")
  await user.keyboard("{Enter}")
  const list = await dialog.findByRole("list", { name: "Recovery codes" })
  const lines = within(list).getAllByRole("listitem")
  expect(lines.map((line) => line.textContent)).toEqual(codes)
  expect(confirmed[0]?.body).toEqual({ code: "123456" })

  await user.click(dialog.getByRole("button", { name: "Copy" }))
  expect(await navigator.clipboard.readText()).toBe(codes.join("\n"))
  await user.click(dialog.getByRole("button", { name: "I have saved them" }))
  expect(await screen.findByText("10 of 10 recovery codes are left.")).toBeVisible()
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
})

test("a wrong password and a wrong code are shown at their fields", async () => {
  standing(false)
  const message = "The password is not right."
  refuse("post", "/auth/totp/enrol", 422, message, [{ field: "password", message }])
  const { user } = await show(<SecondFactorCard />)
  await user.click(await screen.findByRole("button", { name: "Set up" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.fill(dialog.getByLabelText("Password"), "not this one")
  await user.keyboard("{Enter}")
  await waitFor(() =>
    expect(dialog.getByLabelText("Password")).toHaveAccessibleDescription(message),
  )

  answer("post", "/auth/totp/enrol", { secret, uri })
  await user.type(dialog.getByLabelText("Password"), "{Enter}")
  const wrong = "The code is not right."
  refuse("post", "/auth/totp/confirm", 422, wrong, [{ field: "code", message: wrong }])
  await user.fill(await dialog.findByLabelText("Code"), "000000")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(dialog.getByLabelText("Code")).toHaveAccessibleDescription(wrong))
  expect(toasts.get()).toEqual([])
})

test("any other refusal is shown in a toast", async () => {
  standing(false)
  refuse("post", "/auth/totp/enrol", 429, "Too many attempts. Try again in 4 seconds.")
  const { user } = await show(<SecondFactorCard />)
  await user.click(await screen.findByRole("button", { name: "Set up" }))
  await user.fill(await screen.findByLabelText("Password"), "seven oaks 7")
  await user.keyboard("{Enter}")

  await waitFor(() =>
    expect(toasts.get()[0]?.message).toBe("Too many attempts. Try again in 4 seconds."),
  )
})

test("removing it needs the password", async () => {
  standing(true, false, 7)
  const calls = answerWith("post", "/auth/totp/disable", { success: true, message: "" })
  const { user } = await show(<SecondFactorCard />)
  expect(await screen.findByText("7 of 10 recovery codes are left.")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Remove" }))
  const dialog = within(await screen.findByRole("dialog", { name: /Remove the second factor/ }))
  await user.fill(dialog.getByLabelText("Password"), "seven oaks 7")
  standing(false)
  await user.click(dialog.getByRole("button", { name: "Remove" }))

  expect(await screen.findByRole("button", { name: "Set up" })).toBeVisible()
  expect(calls[0]?.body).toEqual({ password: "seven oaks 7" })
  expect(toasts.get()[0]?.message).toBe("Second factor removed")
})

test("where it is required, it cannot be removed", async () => {
  standing(true, true)

  await show(<SecondFactorCard />)

  expect(await screen.findByText(/Your role needs a second factor/)).toBeVisible()
  expect(screen.queryByRole("button")).not.toBeInTheDocument()
})

test("loading and failure show their messages", () =>
  expectFetchStates("/auth/totp", {
    open: () => show(<SecondFactorCard />),
    data: { isOn: false, isRequired: false, recoveryCodesLeft: 0 },
    shows: /^Requires an authenticator code/,
  }))
