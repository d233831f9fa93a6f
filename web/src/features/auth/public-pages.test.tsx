import { act, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, signedIn } from "@/testing/signed-in"
import { toasts } from "@/ui/overlay/toast"

beforeEach(() => {
  answer("get", "/firm", firm)
  answer("get", "/auth/sign-up", { needsSetupCode: false })
})
afterEach(() => void vi.useRealTimers())

test.each(["/auth/login", "/auth/signup", "/auth/forgot-password"])(
  "%s bears logo, hero, taglines and the registration",
  async (address) => {
    await showApp(address)

    const form = within(screen.getByRole("main"))
    expect(form.getByText("Tarazu").closest("div")!.querySelector("svg")).toBeVisible()
    const notice = await form.findByText(/INH000012345/)
    expect(notice).toHaveTextContent("Kavita Rao")
    expect(notice).toHaveTextContent("Perpetual")
    expect(notice).toHaveTextContent("Valid from 14 Feb 2024")
    const panel = within(screen.getByRole("complementary", { name: "About the firm" }))
    expect(panel.getByText("Smart Investing Starts Here")).toBeVisible()
    expect(panel.getByText("Get Expert Advice to Grow Your Wealth with Confidence")).toBeVisible()
    expect(
      screen.getByRole("complementary").querySelectorAll("svg[viewBox='0 0 640 480']"),
    ).toHaveLength(1)
  },
)

test.each([
  ["/auth/login", "Sign up", "/auth/signup"],
  ["/auth/signup", "Log in", "/auth/login"],
  ["/auth/forgot-password/mailed-token", "Back to log in", "/auth/login"],
])("%s has a link “%s” to %s", async (address, name, place) => {
  const { user, router } = await showApp(address)

  await user.click(screen.getByRole("link", { name }))

  await waitFor(() => expect(router.state.location.pathname).toBe(place))
})

describe("sign-up", () => {
  async function fillIn() {
    const shown = await showApp("/auth/signup")
    await shown.user.fill(screen.getByLabelText("Name"), "Meera Nair")
    await shown.user.fill(screen.getByLabelText("Email"), "meera@example.in")
    await shown.user.fill(screen.getByLabelText("Password"), "long enough")
    return shown
  }
  const submit = () => fireEvent.click(screen.getByRole("button", { name: "Get Started" }))
  const messages = () => toasts.get().map((each) => [each.kind, each.message])

  test("sends what was typed, keeps token and role, and opens the product a second after its success", async () => {
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

    submit()

    await vi.waitFor(
      async () => {
        await pass(0)
        expect(messages()).toEqual([["success", "Signup successful!"]])
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
  ])("that is answered with success false and %j warns %j", async (message, told) => {
    answerWith("post", "/auth/register", { success: false, message, accessToken: null, data: null })

    await fillIn()
    submit()

    await waitFor(() => expect(messages()).toEqual([["warning", told]]))
  })

  test("that fails without a sentence says that an error occurred", async () => {
    refuse("post", "/auth/register", 500, "")

    await fillIn()
    submit()

    expect(await screen.findByText("An error occurred.")).toBeVisible()
  })
})
