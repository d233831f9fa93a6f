import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, refuse } from "@/testing/server"
import { signedIn } from "@/testing/signed-in"
import { show, showApp } from "@/testing/show"
import SetupList from "./setup-list"

const steps = ["FIRM", "MAIL", "STAFF", "CLIENT"]
const line = (step: string, more: object = {}) => ({
  step,
  title: step.toLowerCase(),
  text: `About ${step}.`,
  label: `Open ${step}`,
  to: "/home/settings",
  isDone: false,
  isLater: false,
  ...more,
})
const lines = (changes: Record<string, object> = {}) =>
  steps.map((step) => line(step, changes[step]))
const asAdmin = () => session.start("token-of-the-test", "ADMIN")

describe("the set-up list", () => {
  beforeEach(asAdmin)

  test("each line has its sentence and a button to its screen; what is done has a tick alone", async () => {
    signedIn()
    for (const path of ["stats", "stocks-distribution", "daily-aum"])
      answer("get", `/admin/dashboard/${path}`, path === "stats" ? null : [])
    const staff = { title: "Staff", label: "Invite staff", to: "/home/settings?section=mail" }
    answer("get", "/admin/dashboard/setup", lines({ FIRM: { isDone: true }, STAFF: staff }))
    const { user, router } = await showApp("/home/dashboard", { role: "ADMIN" })

    const list = await screen.findByRole("list", { name: "Set up your firm" })
    const [first, second] = within(list).getAllByRole("listitem")
    expect(within(first as HTMLElement).getByRole("img", { name: "Done" })).toBeVisible()
    expect(within(first as HTMLElement).queryByRole("button")).toBeNull()
    expect(within(second as HTMLElement).getByText("About MAIL.")).toBeVisible()
    expect(screen.getByText("1 of 4 done")).toBeVisible()

    await user.click(within(list).getByRole("button", { name: "Invite staff" }))
    await waitFor(() => expect(router.state.location.href).toBe("/home/settings?section=mail"))
  })

  test("the line of the first client offers a sample, and opens it", async () => {
    signedIn()
    for (const path of ["stats", "stocks-distribution", "daily-aum"])
      answer("get", `/admin/dashboard/${path}`, path === "stats" ? null : [])
    answer("get", "/admin/dashboard/setup", lines())
    const sample = { _id: "id-0", clientId: "C0000", name: "Sample Client" }
    const loads = answer("post", "/admin/clients/sample", sample)
    const { user, router } = await showApp("/home/dashboard", { role: "ADMIN" })

    await user.click(await screen.findByRole("button", { name: "Load a sample client" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/portfolio"))
    expect(loads).toHaveLength(1)
    expect(session.get("clientId")).toBe("id-0")
  })

  test("Later is kept on the server; with two lines left the list is a bar that opens", async () => {
    answer("get", "/admin/dashboard/setup", lines({ FIRM: { isDone: true } }))
    const puts = answer(
      "put",
      "/admin/dashboard/setup",
      lines({ FIRM: { isDone: true }, MAIL: { isLater: true } }),
    )
    const { user } = await show(<SetupList />)

    await user.click(await screen.findByRole("button", { name: "Later: mail" }))

    const bar = await screen.findByRole("region", { name: "Set-up" })
    expect(puts[0]?.body).toEqual({ step: "MAIL", isLater: true })
    expect(within(bar).getByText("Next: staff")).toBeVisible()
    expect(within(bar).getByRole("button", { name: "Open STAFF" })).toBeVisible()
    await user.click(within(bar).getByRole("button", { name: "Show all" }))
    await user.click(screen.getByRole("button", { name: "Not later: mail" }))
    await waitFor(() => expect(puts[1]?.body).toEqual({ step: "MAIL", isLater: false }))
  })

  test("the test mail is sent from its line, and a refusal is said in the server's words", async () => {
    const mail = { MAIL: { to: null, label: "Send a test mail" } }
    answer("get", "/admin/dashboard/setup", lines(mail))
    refuse("post", "/settings/mail/test", 502, "The mail server did not answer.")
    const { user } = await show(<SetupList />)

    await user.click(await screen.findByRole("button", { name: "Send a test mail" }))
    expect(await screen.findByText("The mail server did not answer.")).toBeVisible()

    answer("post", "/settings/mail/test", null, { message: "Test mail delivered to a@b.example." })
    answer("get", "/admin/dashboard/setup", lines({ MAIL: { isDone: true } }))
    await user.click(screen.getByRole("button", { name: "Send a test mail" }))
    expect(await screen.findByText("Test mail delivered to a@b.example.")).toBeVisible()
    expect(await screen.findByText("1 of 4 done")).toBeVisible()
  })
})

test("a USER has no set-up list, and it is not asked for", async () => {
  session.start("token-of-the-test", "USER")
  const calls = answer("get", "/admin/dashboard/setup", lines())
  const { queryClient } = await show(<SetupList />)

  expect(queryClient.isFetching()).toBe(0)
  expect(screen.queryByRole("list")).toBeNull()
  expect(calls).toHaveLength(0)
})
