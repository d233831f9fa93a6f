import { act, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { report } from "@/live/progress"
import { pageOf } from "@/testing/clients"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { expectFetchStates } from "@/testing/fetch-states"
import { boardAnswered, followUpRow, tiles } from "@/testing/follow-up"
import { setScreenWidth } from "@/testing/screen-width"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { cellsOf, headings } from "@/testing/tables"

const rows = [
  followUpRow(),
  followUpRow({
    _id: "advice-2",
    userId: "id-2",
    clientId: "C0002",
    name: "Ravi Iyer",
    state: "UNKNOWN",
    followedPercentage: null,
    shortfall: null,
    minutesToFirstFill: null,
    minutesToNinety: null,
    readAt: null,
    reminders: 0,
    openQuestions: 0,
  }),
]

async function open(search = "", role: "ADMIN" | "USER" = "ADMIN") {
  const calls = boardAnswered(rows, role)
  const shown = await showApp(`/home/follow-up${search}`, { role })
  await screen.findByRole("row", { name: /Asha Rao/ })
  return { calls, ...shown }
}

const tile = (name: RegExp) =>
  within(screen.getByRole("group", { name: "Show advice" })).getByRole("button", { name })

test("each advice is a row with what the client did, and what is not known is a dash", async () => {
  await open()

  expect(screen.getByRole("heading", { level: 1, name: "Follow-up" })).toBeVisible()
  expect(await headings()).toBe(
    "Client | Sent | Model | State | Window Ends | Read | Followed % | Shortfall | Time to Act | Advised Value | Questions | Actions",
  )
  const asha = screen.getByRole("row", { name: /Asha Rao/ })
  expect(cellsOf(asha)).toBe(
    "Asha Rao C0001 | 19/11/2026 | Large Cap Quality | In part | 26/11/2026 | 19/11/20261 reminder | 80.00% | ₹253.90101.56 bp | 45 min90%: 6 h 05 min | ₹25,000.00 | 1 open | ",
  )
  const ravi = screen.getByRole("row", { name: /Ravi Iyer/ })
  expect(cellsOf(ravi)).toContain("Unknown | 26/11/2026 | - | - | - | - | ₹25,000.00 | - |")
})

test("an ended window says what became of the follow-up", async () => {
  const followUp = {
    outcome: "WAITING" as const,
    text: "A price is too old.",
    at: "2026-11-26T10:36:00Z",
    draftedFor: null,
  }
  boardAnswered([followUpRow({ isOver: true, followUp })])
  await showApp("/home/follow-up", { role: "ADMIN" })

  const row = await screen.findByRole("row", { name: /Asha Rao/ })
  expect(cellsOf(row)).toContain("26/11/2026 overFollow-up waits")
  expect(within(row).getByText("Follow-up waits")).toHaveAttribute("title", "A price is too old.")
})

test("tiles have the number and the rupees of each state, and a press filters the list", async () => {
  const { user, calls, router } = await open()

  expect(tile(/^All/)).toHaveTextContent("All14₹46.85 L")
  expect(tile(/^Acted/)).toHaveTextContent("Acted11₹45.00 L")
  expect(tile(/^In part/)).toHaveAttribute("title", "₹1,25,000.00 advised, ₹90,000.00 of it traded")
  expect(tile(/^Waiting/)).toHaveTextContent("Waiting0")
  await user.click(tile(/^Ignored/))

  await waitFor(() => expect(calls.at(-1)?.search.get("state")).toBe("IGNORED"))
  expect(router.state.location.search).toMatchObject({ state: "IGNORED" })
  expect(tile(/^Ignored/)).toHaveAttribute("aria-pressed", "true")
})

test("the filters are in the address, and a shared address restores them", async () => {
  const address =
    "?state=PART&model=Mid%20Cap%20Growth&from=2026-11-01&to=2026-11-20&query=rao&sort=-shortfallBps&page=2"
  const { calls } = await open(address)

  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    state: "PART",
    model: "Mid Cap Growth",
    from: "2026-11-01",
    to: "2026-11-20",
    query: "rao",
    sort: "-shortfallBps",
    page: "2",
    limit: "50",
  })
  expect(screen.getByRole("combobox", { name: "Model" })).toHaveValue("Mid Cap Growth")
})

test("search, model and order ask the server again, from the first page", async () => {
  const { user, calls } = await open("?page=2")

  await user.type(screen.getByLabelText("Search by name or client ID"), "ravi")
  await waitFor(() => expect(calls.at(-1)?.search.get("query")).toBe("ravi"))
  await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "Large Cap Quality")
  await waitFor(() => expect(calls.at(-1)?.search.get("model")).toBe("Large Cap Quality"))
  await user.click(screen.getByRole("button", { name: /^Shortfall/ }))

  await waitFor(() => expect(calls.at(-1)?.search.get("sort")).toBe("-shortfallBps"))
  expect(calls.at(-1)?.search.get("page")).toBe("1")
})

test("the export has the filters of the screen", async () => {
  const { user } = await open("?state=PART")
  const requests = answerFile("/admin/follow-up/export", "follow-up.xlsx")
  const saved = watchDownloads()

  await user.choose("Table options: Advice sent", "Download Excel")

  await waitFor(() => expect(saved).toEqual(["follow-up.xlsx"]))
  const asked = new URL(requests[0]!.url).searchParams
  expect([asked.get("state"), asked.get("format")]).toEqual(["PART", "xlsx"])
})

test("loading, failure and no advice at all have their messages, with a next step", async () => {
  signedIn()
  await expectFetchStates("/admin/follow-up", {
    open: () => showApp("/home/follow-up", { role: "ADMIN" }),
    data: [],
    more: { ...pageOf(0), tiles: tiles(), models: [] },
    shows: "Advice you send appears here, with what each client did.",
  })
  expect(screen.getByRole("button", { name: "Go to Advice" })).toBeVisible()
  expect(screen.getByRole("button", { name: "Draft for all shown" })).toBeDisabled()
})

test("filters that match nothing can be cleared", async () => {
  signedIn()
  const calls = answer("get", "/admin/follow-up", [], {
    ...pageOf(0),
    tiles: tiles(),
    models: [],
  })
  const { user } = await showApp("/home/follow-up?state=OPPOSITE&query=zz", { role: "ADMIN" })
  expect(await screen.findByText("No advice matches these filters.")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await waitFor(() => expect(calls.at(-1)?.search.has("state")).toBe(false))
})

test("the list is fetched again when the server says that something changed", async () => {
  const { calls } = await open()
  const before = calls.length
  const changed = { id: "follow-up", step: "Follow-up", total: 1, state: "CHANGED" }

  act(() => {
    report({ ...changed, id: "another-work", done: 1 })
    report({ ...changed, done: 1 })
    report({ ...changed, done: 2 })
  })

  await waitFor(() => expect(calls.length).toBe(before + 1), { timeout: 5_000 })
})

test("a phone has cards with the client, the state and how much was followed", async () => {
  setScreenWidth(390)
  boardAnswered(rows)
  await showApp("/home/follow-up", { role: "ADMIN" })

  const list = await screen.findByRole("list", { name: "Advice sent" })
  expect(within(list).getByRole("button", { name: /^Asha Rao/ })).toHaveTextContent(
    "Asha Rao C0001In part19/11/202680.00%",
  )
})
