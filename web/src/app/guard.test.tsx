import { act, screen, waitFor } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { opened } from "@/testing/fake-socket"
import { answer, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { safeNext } from "./guard"

beforeEach(() => {
  answer("get", "/firm", firm)
})

describe("addresses", () => {
  test.each([
    ["/", "/auth/login"],
    ["/login", "/auth/login"],
    ["/auth", "/auth/login"],
    ["/auth/register", "/auth/signup"],
  ])("%s leads to %s", async (from, to) => {
    const { router } = await showApp(from)

    expect(router.state.location.pathname).toBe(to)
  })

  test("/home leads to the dashboard", async () => {
    signedIn()
    for (const part of ["stats", "stocks-distribution", "daily-aum"]) {
      answer("get", `/admin/dashboard/${part}`, part === "stats" ? null : [])
    }

    const { router } = await showApp("/home", { role: "ADMIN" })

    expect(router.state.location.pathname).toBe("/home/dashboard")
  })

  test("an address that leads nowhere says so", async () => {
    await showApp("/home-sweet-home")

    expect(screen.getByText("This page does not exist")).toBeVisible()
  })
})

describe("the guard", () => {
  test("without a token one logs in first, and comes back to the same place", async () => {
    const { router } = await showApp("/home/settings")

    expect(router.state.location.pathname).toBe("/auth/login")
    expect(router.state.location.search).toEqual({ next: "/home/settings" })
  })

  test("a token that the server does not know is forgotten", async () => {
    refuse("get", "/auth/verify-token", 401, "Session expired. Please log in again.")

    const { router } = await showApp("/home/settings", { role: "ADMIN" })

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(router.state.location.search).toEqual({ next: "/home/settings" })
    expect(session.get("token")).toBeNull()
    expect(await screen.findByText("Session expired. Please log in again.")).toBeVisible()
  })

  test.each([
    ["isFirstTimeLogin", "/auth/reset-password"],
    ["isSecondFactorDue", "/auth/second-factor"],
  ])("%s leads from /home to %s", async (due, place) => {
    signedIn()
    answer("get", "/auth/verify-token", {
      role: "USER",
      name: "Meera Nair",
      email: "meera@example.in",
      isFirstTimeLogin: due === "isFirstTimeLogin",
      isSecondFactorDue: due === "isSecondFactorDue",
    })
    answer("get", "/auth/totp", { isOn: false, isRequired: true, recoveryCodesLeft: 0 })

    const { router } = await showApp("/home", { role: "USER" })

    await waitFor(() => expect(router.state.location.pathname).toBe(place))
    expect(session.get("token")).not.toBeNull()
  })

  test("a server out of reach, and a socket that says a password is due, lead to it", async () => {
    breakOff("get", "/auth/verify-token")
    ownSettingsAnswered()
    const { router } = await showApp("/home/settings", { role: "USER" })
    const refused = Object.assign(new Error("Unauthorized"), {
      data: { code: "PASSWORD_CHANGE_REQUIRED" },
    })

    act(() => opened.heard.connect_error?.(refused))

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/reset-password"))
    expect(session.get("token")).not.toBeNull()
  })

  test("a session that dies on a screen leads to log-in and back", async () => {
    signedIn()
    ownSettingsAnswered()
    refuse("get", "/profile", 401, "Session expired. Please log in again.")

    const { router } = await showApp("/home/settings", { role: "ADMIN" })

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(router.state.location.search).toEqual({ next: "/home/settings" })
  })

  test("a server out of reach throws nobody out", async () => {
    breakOff("get", "/auth/verify-token")
    ownSettingsAnswered()
    breakOff("get", "/profile")

    const { router } = await showApp("/home/settings", { role: "ADMIN" })

    expect(router.state.location.pathname).toBe("/home/settings")
    expect(await screen.findByText("Failed to fetch data")).toBeVisible()
    expect(session.get("token")).not.toBeNull()
  })

  test("the role is the server's, not the stored one", async () => {
    signedIn("USER")
    ownSettingsAnswered("USER")

    await showApp("/home/settings", { role: "ADMIN" })

    expect(session.get("role")).toBe("USER")
    expect(screen.queryByRole("link", { name: "Advice" })).not.toBeInTheDocument()
  })

  test("advice is for ADMIN alone", async () => {
    signedIn("USER")
    for (const part of ["stats", "stocks-distribution", "daily-aum"]) {
      answer("get", `/admin/dashboard/${part}`, part === "stats" ? null : [])
    }

    const { router } = await showApp("/home/advice", { role: "USER" })

    expect(router.state.location.pathname).toBe("/home/dashboard")
  })

  test.each([
    ["/home/client/details?page=2", "/home/client/details?page=2"],
    ["//evil.example", undefined],
    ["https://evil.example/home", undefined],
    ["/homeless", undefined],
    [7, undefined],
  ])("after a login %s leads to %s", (next, safe) => {
    expect(safeNext(next)).toBe(safe)
  })

  test.each(["login", "second-factor"])(
    "a foreign address does not get through to %s",
    async (page) => {
      signedIn()
      const { router } = await showApp(`/auth/${page}?next=https%3A%2F%2Fevil.example%2F`, {
        role: "ADMIN",
      })

      const [match] = router.state.matches.slice(-1)
      expect(match?.fullPath).toBe(`/auth/${page}`)
      expect(match?.search).toEqual({ next: undefined })
    },
  )
})

describe("logging out", () => {
  test("it ends the session on the server and here", async () => {
    signedIn()
    ownSettingsAnswered()
    const calls = answer("post", "/auth/logout", null)
    const { user, router } = await showApp("/home/settings", { role: "ADMIN" })

    await user.click(screen.getByRole("button", { name: "Logout" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(calls).toHaveLength(1)
    expect(session.get("token")).toBeNull()
  })

  test("a failed log-out is shown, and the browser is logged out all the same", async () => {
    signedIn()
    ownSettingsAnswered()
    refuse("post", "/auth/logout", 500, "")
    const { user } = await showApp("/home/settings", { role: "ADMIN" })

    await user.click(screen.getByRole("button", { name: "Logout" }))

    expect(await screen.findByText("Logout failed")).toBeVisible()
    expect(session.get("token")).toBeNull()
  })
})
