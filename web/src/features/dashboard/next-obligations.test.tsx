import { screen, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import NextObligations from "./next-obligations"

describe("the next obligations", () => {
  beforeEach(() => session.start("token-of-the-test", "ADMIN"))

  const report = {
    _id: "half_yearly_report",
    number: 3,
    title: "Half-yearly report",
    ruleText: "On day 31 of October and April",
    source: "A circular",
    status: "LATE",
    note: "April to September 2026",
    current: { dueOn: "2026-10-31" },
  }

  test("each shows its day and status, and leads to its details", async () => {
    answer("get", "/admin/obligations/next", [report])
    await show(<NextObligations />)

    const line = within(await screen.findByRole("list", { name: "Next obligations" })).getByRole(
      "link",
    )

    expect(line).toHaveTextContent("Half-yearly report")
    expect(line).toHaveTextContent("31/10/2026")
    expect(line).toHaveTextContent("Late")
    expect(line).toHaveAttribute("href", "/home/compliance?obligation=half_yearly_report")
  })

  test("nobody but an administrator asks for them", async () => {
    const asked = answer("get", "/admin/obligations/next", [report])
    session.start("token-of-the-test", "USER")
    const { queryClient } = await show(<NextObligations />)

    expect(queryClient.isFetching()).toBe(0)
    expect(screen.queryByRole("list")).toBeNull()
    expect(asked).toHaveLength(0)
  })

  test("a failure is said, and they can be asked for again", async () => {
    refuse("get", "/admin/obligations/next", 500, "Something went wrong.")
    const { user } = await show(<NextObligations />)
    expect(await screen.findByText("The obligations could not be loaded.")).toBeVisible()

    answer("get", "/admin/obligations/next", [report])
    await user.click(screen.getByRole("button", { name: "Retry" }))

    expect(await screen.findByText("Half-yearly report")).toBeVisible()
  })
})
