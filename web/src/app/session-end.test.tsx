import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { draft } from "@/features/advice/draft"
import { adviceAnswered } from "@/testing/advice-rows"
import { codeField, draftForAsha } from "@/testing/advice-screen"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"

const expired = "Session expired. Please log in again."

const verified = (email: string) =>
  answer("get", "/auth/verify-token", { role: "ADMIN", name: "Staff", email })

async function logInAgain(user: Awaited<ReturnType<typeof showApp>>["user"], email: string) {
  answerWith("post", "/auth/login", {
    success: true,
    accessToken: "next-token",
    data: { role: "ADMIN", isFirstTimeLogin: false, isSecondFactorDue: false, name: "Staff" },
  })
  verified(email)
  await user.fill(await screen.findByLabelText("Email"), email)
  await user.fill(screen.getByLabelText("Password"), "long-enough")
  await user.click(screen.getByRole("button", { name: "Log in" }))
}

async function adviceWhoseSessionEnds() {
  adviceAnswered()
  verified("meera@example.in")
  const app = await showApp("/home/advice", { role: "ADMIN" })
  await waitFor(() => expect(draft.get().owner).toBe("meera@example.in"))
  draftForAsha()
  await waitFor(() => expect(codeField()).toHaveValue("C1007"))
  refuse("get", "/admin/broker", 401, expired)
  await app.queryClient.invalidateQueries()
  await waitFor(() => expect(app.router.state.location.pathname).toBe("/auth/login"))
  answer("get", "/admin/broker", { isConnected: false })
  return app
}

beforeEach(() => {
  answer("get", "/firm", firm)
})

test("an expired session keeps the draft and comes back to the same place", async () => {
  const { user, router } = await adviceWhoseSessionEnds()
  expect(screen.getByText(expired)).toBeVisible()
  expect(router.state.location.search).toEqual({ next: "/home/advice" })

  await logInAgain(user, "meera@example.in")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  await waitFor(() => expect(codeField()).toHaveValue("C1007"))
  expect(draft.get().rows.map((row) => row.target)).toEqual([5000, 4000, 1000])
})

test("another person who logs in does not find the draft", async () => {
  const { user, router } = await adviceWhoseSessionEnds()

  await logInAgain(user, "ravi@example.in")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  await waitFor(() => expect(codeField()).toHaveValue(""))
  expect(draft.get().rows).toEqual([])
  expect(sessionStorage.getItem("tarazu.advice")).not.toContain("Asha")
})

test.each([
  ["PASSWORD_CHANGE_REQUIRED", "/auth/reset-password"],
  ["SECOND_FACTOR_REQUIRED", "/auth/second-factor"],
])("%s leads to %s, and the session stays", async (code, place) => {
  verified("meera@example.in")
  const body = { success: false, message: "Not yet.", code }
  for (const part of ["stats", "stocks-distribution", "daily-aum"])
    answerWith("get", `/admin/dashboard/${part}`, body, 403)

  const { router } = await showApp("/home/dashboard", { role: "ADMIN" })

  await waitFor(() => expect(router.state.location.pathname).toBe(place))
  expect(session.get("token")).not.toBeNull()
})
