import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm } from "@/testing/signed-in"

beforeEach(() => {
  answer("get", "/firm", firm)
  answer("get", "/auth/sign-up", { needsSetupCode: false })
})

test.each(["/auth/login", "/auth/signup", "/auth/forgot-password"])(
  "%s bears logo, hero, taglines and the registration",
  async (address) => {
    await showApp(address)

    const form = within(screen.getByRole("main"))
    expect(form.getByText("Tarazu").closest("div")!.querySelector("svg")).toBeVisible()
    const notice = (await form.findByText(/INH000012345/)).closest("address")
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
  ["/auth/login", "Forgot Password", "/auth/forgot-password"],
  ["/auth/signup", "Log in", "/auth/login"],
  ["/auth/forgot-password", "Back to log in", "/auth/login"],
  ["/auth/forgot-password/mailed-token", "Back to log in", "/auth/login"],
])("%s has a link “%s” to %s", async (address, name, place) => {
  const { user, router } = await showApp(address)

  await user.click(screen.getByRole("link", { name }))

  await waitFor(() => expect(router.state.location.pathname).toBe(place))
})
