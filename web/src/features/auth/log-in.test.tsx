import { screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, signedIn } from "@/testing/signed-in"

const email = () => screen.getByLabelText("Email")
const password = () => screen.getByLabelText("Password")
const submit = () => screen.getByRole("button", { name: "Log in" })

const accepted = (role: string, isFirstTimeLogin = false) =>
  answerWith("post", "/auth/login", {
    success: true,
    accessToken: "fresh-token",
    data: { role, isFirstTimeLogin, name: "Meera Nair" },
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
  test("the page bears both taglines and the registration", async () => {
    await showApp("/auth/login")

    expect(screen.getByText("Smart Investing Starts Here")).toBeVisible()
    expect(screen.getByText("Get Expert Advice to Grow Your Wealth with Confidence")).toBeVisible()
    const notice = await screen.findByText(/INH000012345/)
    expect(notice).toHaveTextContent("Kavita Rao")
    expect(notice).toHaveTextContent("Valid from 14 Feb 2024")
    expect(notice).toHaveTextContent("Perpetual")
  })

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
      const calls = accepted(role)
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
    accepted("CLIENT")

    await logIn()

    expect(await screen.findByText("Only admin can login")).toBeVisible()
    expect(session.get("token")).toBeNull()
  })

  test("the server's sentence is shown, and what was typed stays", async () => {
    refuse("post", "/auth/login", 401, "Invalid email or password")

    await logIn()

    expect(await screen.findByText("Invalid email or password")).toBeVisible()
    expect(email()).toHaveValue("meera@example.in")
    expect(password()).toHaveValue("long-enough")
  })

  test("without a sentence it says that an error occurred", async () => {
    refuse("post", "/auth/login", 500, "")

    await logIn()

    expect(await screen.findByText("An error occurred.")).toBeVisible()
  })

  test("without a connection it says so", async () => {
    breakOff("post", "/auth/login")

    await logIn()

    expect(
      await screen.findByText("Network error. Check your connection and try again."),
    ).toBeVisible()
  })

  test("Remember Me keeps the e-mail on this device, and no password", async () => {
    refuse("post", "/auth/login", 401, "Invalid email or password")
    const { user, unmount } = await showApp("/auth/login")
    await user.fill(email(), "meera@example.in")
    await user.fill(password(), "long-enough")
    await user.click(screen.getByLabelText("Remember Me"))
    await user.click(submit())
    await screen.findByText("Invalid email or password")
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
