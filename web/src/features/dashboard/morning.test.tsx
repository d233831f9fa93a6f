import { act, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { amountsHidden } from "@/lib/format"
import { priceStore } from "@/live/prices"
import { adviceAnswered, asha } from "@/testing/advice-rows"
import { answer, refuse } from "@/testing/server"
import { show, showApp } from "@/testing/show"
import { Movers } from "./movers"
import { WorkList } from "./work-list"

const overdue = {
  kind: "OVERDUE",
  count: 12,
  text: "clients have overdue fees",
  label: "See Fees",
  to: "/home/fees?due=OVERDUE",
}
const drift = {
  kind: "DRIFT",
  count: 1,
  text: "client has drifted outside the tolerance",
  label: "See Drift",
  to: "/home/models/drift?outside=true",
}
const mover = (code: string, change: number, more: object = {}) => ({
  _id: `id-${code}`,
  clientId: code,
  name: `Client ${code}`,
  value: 100_000,
  change,
  changePercentage: change / 1000,
  staleSince: null,
  ...more,
})
const movers = {
  closedOn: "2026-11-19",
  rising: [mover("C0003", 9_000), mover("C0001", 4_500)],
  falling: [mover("C0002", -2_500, { staleSince: "2026-11-18T10:00:00Z" })],
  leftOut: 2,
}

describe("the work list", () => {
  test("each line leads to its screen with the filter set", async () => {
    answer("get", "/admin/dashboard/stats", null)
    answer("get", "/admin/dashboard/stocks-distribution", [])
    answer("get", "/admin/dashboard/daily-aum", [])
    answer("get", "/admin/dashboard/work", [drift, overdue])
    const fees = answer("get", "/fees", [], {
      pagination: { totalPages: 0, totalUsers: 0, currentPage: 1, limit: 5 },
    })
    answer("get", "/fees/stats", { totalFees: 0, totalPaid: 0, totalDue: 0 })
    const { user, router } = await showApp("/home/dashboard", { role: "ADMIN" })

    const list = await screen.findByRole("list", { name: "To do today" })
    expect(
      within(list)
        .getAllByRole("link")
        .map((line) => line.textContent),
    ).toEqual([
      "1 client has drifted outside the tolerance See Drift",
      "12 clients have overdue fees See Fees",
    ])
    await user.click(within(list).getByRole("link", { name: /overdue fees/ }))

    await waitFor(() => expect(router.state.location.search).toMatchObject({ due: "OVERDUE" }))
    await waitFor(() => expect(fees.at(-1)?.search.get("due")).toBe("OVERDUE"))
    expect(await screen.findByText("No client has overdue fees.")).toBeVisible()
  })

  test("with nothing to do there is one calm sentence", async () => {
    answer("get", "/admin/dashboard/work", [])
    await show(<WorkList />)

    expect(await screen.findByText("Nothing needs your attention now.")).toBeVisible()
    expect(screen.queryByRole("list")).not.toBeInTheDocument()
  })

  test("a failure stays in its section and can be tried again", async () => {
    refuse("get", "/admin/dashboard/work", 500, "")
    const { user } = await show(<WorkList />)
    expect(await screen.findByText("The work list could not be loaded.")).toBeVisible()

    answer("get", "/admin/dashboard/work", [overdue])
    await user.click(screen.getByRole("button", { name: "Retry" }))

    expect(await screen.findByRole("link", { name: /12 clients have overdue fees/ })).toBeVisible()
  })

  test("both lists follow the prices and rest in a closed market", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const work = answer("get", "/admin/dashboard/work", [overdue])
    const moved = answer("get", "/admin/dashboard/movers", movers)
    await show(
      <>
        <WorkList />
        <Movers />
      </>,
    )
    await screen.findByRole("link", { name: /overdue fees/ })

    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect([work.length, moved.length]).toEqual([1, 1])

    act(() => priceStore.collect({ "1": 1000 }))
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    await waitFor(() => expect([work.length, moved.length]).toEqual([2, 2]))

    act(() => priceStore.collect({ "1": 1001 }))
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect([work.length, moved.length]).toEqual([2, 2])
    vi.useRealTimers()
  })
})

describe("what changed today", () => {
  test("the clients that moved most open their portfolios", async () => {
    answer("get", "/admin/dashboard/movers", movers)
    const { user } = await show(<Movers />)

    const rising = await screen.findByRole("list", { name: "Risen most" })
    expect(
      within(rising)
        .getAllByRole("link")
        .map((row) => row.textContent),
    ).toEqual(["Client C0003 C0003 +₹9,000.00+9.00%", "Client C0001 C0001 +₹4,500.00+4.50%"])
    const falling = screen.getByRole("list", { name: "Fallen most" })
    expect(within(falling).getByRole("link")).toHaveTextContent(/18 Nov 2026.*-₹2,500.00-2.50%/)
    expect(screen.getByText(/since the close of 19\/11\/2026/)).toBeVisible()
    expect(screen.getByText(/2 clients are left out/)).toBeVisible()

    await user.click(within(falling).getByRole("link"))

    expect([session.get("clientId"), session.get("username")]).toEqual(["id-C0002", "C0002"])
  })

  test("hidden amounts are hidden here too, percentages stay", async () => {
    answer("get", "/admin/dashboard/movers", movers)
    await show(<Movers />)
    await screen.findByRole("list", { name: "Risen most" })

    act(() => amountsHidden.set(true))

    expect(screen.getAllByRole("link")[0]).toHaveTextContent("Client C0003 C0003 ₹••••+9.00%")
    act(() => amountsHidden.set(false))
  })

  test.each([
    ["before the first close", null, "Changes appear after the first daily close."],
    [
      "when nothing moved",
      { ...movers, rising: [], falling: [], leftOut: 0 },
      "No client’s value has changed.",
    ],
  ])("%s it says so", async (_, data, text) => {
    answer("get", "/admin/dashboard/movers", data)
    await show(<Movers />)

    expect(await screen.findByText(text)).toBeVisible()
  })
})

test("a letter that failed is sent again from the list", async () => {
  for (const part of ["stats", "stocks-distribution", "daily-aum"])
    answer("get", `/admin/dashboard/${part}`, part === "stats" ? null : [])
  const letter = {
    _id: "advice-1",
    sentAt: "2026-11-19T06:00:00Z",
    userId: "id-1",
    clientId: "C0001",
    name: "Asha Rao",
    failedAt: "2026-11-20T06:00:00Z",
    error: "The mail server refused the address.",
  }
  const pagination = { totalPages: 1, totalUsers: 1, currentPage: 1, limit: 10 }
  const lists = answer("get", "/admin/advice/undelivered", [letter], { pagination })
  const sent = answer("post", "/admin/advice/advice-1/resend", null, {
    message: "The mail is sent again.",
  })
  const { user, router } = await showApp("/home/dashboard?undelivered=true", { role: "ADMIN" })
  const dialog = await screen.findByRole("dialog", { name: "Letters that could not be delivered" })
  await within(dialog).findByText("The mail server refused the address.")

  await user.click(within(dialog).getByRole("button", { name: "Resend" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  await waitFor(() => expect(lists).toHaveLength(2))
  await user.keyboard("{Escape}")
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test("an advice draft that is not sent is one click from its form", async () => {
  for (const part of ["stats", "stocks-distribution", "daily-aum"])
    answer("get", `/admin/dashboard/${part}`, part === "stats" ? null : [])
  const draft = {
    userId: asha._id,
    clientId: "C1007",
    name: "Asha Rao",
    changedAt: "2026-11-20T05:02:00Z",
    isFollowUp: true,
  }
  const pagination = { totalPages: 1, totalUsers: 1, currentPage: 1, limit: 10 }
  answer("get", "/admin/advice/drafts", [draft], { pagination })
  adviceAnswered()
  const { user, router } = await showApp("/home/dashboard?drafts=true", { role: "ADMIN" })
  const dialog = await screen.findByRole("dialog", { name: "Advice drafts not sent" })

  expect(await within(dialog).findByText("as a follow-up")).toBeVisible()
  await user.click(within(dialog).getByText("20/11/2026 10:32 IST"))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  expect(await screen.findByLabelText("Client name")).toHaveValue("Asha Rao")
})
