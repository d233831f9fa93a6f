import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { constituent, model, modelVersion } from "@/testing/models"
import { answer, answerBy, answerWith } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const stocks = ["INFY", "TCS", "ITC"].map((symbol, place) => ({
  symbol,
  exchange: "NSE",
  name: `${symbol} Limited`,
  isin: `INE00000000${place}`,
  instrumentToken: place + 1,
}))

beforeEach(() => {
  signedIn()
  answerBy("get", "/instruments/search", ({ search }) => ({
    success: true,
    message: null,
    data: stocks.filter(({ symbol }) => symbol.startsWith(search.get("query") ?? "?")),
  }))
  answer("get", "/admin/models/drift", [])
})

const target = (symbol: string) => screen.findByLabelText(`Target of ${symbol}`)
const meter = () => screen.getByRole("meter", { name: "Target allocation" })

async function openNew() {
  const app = await showApp("/home/models/new", { role: "ADMIN" })
  const paste = async (text: string) => {
    await app.user.click(await screen.findByRole("button", { name: "Paste rows" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Paste rows" }))
    await app.user.click(dialog.getByLabelText("One stock per line: symbol and percent"))
    await app.user.paste(text)
    await app.user.click(dialog.getByRole("button", { name: /^Add/ }))
    return dialog
  }
  return { ...app, paste }
}

test("a stock is found, added once, and has a target typed", async () => {
  const { user } = await openNew()

  await user.fill(await screen.findByLabelText("Search stock to add"), "INFY")
  await user.click(await screen.findByRole("option", { name: /INFY/ }))
  await user.fill(await target("INFY"), "12.5")
  await user.keyboard("{Enter}")

  expect(await target("INFY")).toHaveValue("12.50%")
  expect(meter()).toHaveAttribute("aria-valuetext", "12.50% allocated · 87.50% left of 100%")
  expect(screen.getByText("Rest in cash:")).toHaveTextContent("87.50%")
})

test("pasted rows are added; a line with an unknown stock stays for correction", async () => {
  const { paste } = await openNew()

  const dialog = await paste("Symbol\tPercent\nINFY\t60\nNOSUCH\t5\nTCS\t30\nCash\t5")

  expect(await dialog.findByText("2 added. Unknown: NOSUCH")).toBeVisible()
  expect(dialog.getByLabelText("One stock per line: symbol and percent")).toHaveValue("NOSUCH\t5")
  expect(await target("INFY")).toHaveValue("60.00%")
  expect(await target("TCS")).toHaveValue("30.00%")
})

test("rows beyond 100% are refused as a whole", async () => {
  const { paste } = await openNew()

  const dialog = await paste("INFY\t60\nTCS\t41")

  expect(
    await dialog.findByText(
      "Total target allocation cannot exceed 100%: these rows total 101.00%.",
    ),
  ).toBeVisible()
  expect(screen.queryByLabelText("Target of INFY")).not.toBeInTheDocument()
})

test("a target beyond 100% is refused, and the last good one comes back", async () => {
  const { user, paste } = await openNew()
  await paste("INFY\t60\nTCS\t30")
  await target("TCS")

  await user.clear(await target("TCS"))
  await user.type(await target("TCS"), "41{Enter}")

  expect(await screen.findByText("Total target allocation cannot exceed 100%")).toBeVisible()
  expect(await target("TCS")).toHaveValue("30.00%")
})

test("the rest is spread, and can be undone", async () => {
  const { user, paste } = await openNew()
  await paste("INFY\t60\nTCS\t30")
  await target("TCS")

  await user.click(screen.getByRole("button", { name: "Fill the rest" }))
  expect(await target("INFY")).toHaveValue("65.00%")
  await user.click(screen.getByRole("button", { name: "Undo" }))

  expect(await target("INFY")).toHaveValue("60.00%")
})

test("the draft survives leaving the screen, and nobody else sees it", async () => {
  const { paste, user, unmount } = await openNew()
  await paste("INFY\t60")
  await user.fill(screen.getByLabelText("Benchmark"), "Nifty 50 TRI")
  unmount()

  const again = await openNew()
  expect(await target("INFY")).toHaveValue("60.00%")
  expect(screen.getByLabelText("Benchmark")).toHaveValue("Nifty 50 TRI")
  again.unmount()

  answer("get", "/auth/verify-token", { role: "ADMIN", name: "Other", email: "o@example.in" })
  await openNew()
  await screen.findByLabelText("Benchmark")
  expect(screen.getByLabelText("Benchmark")).toHaveValue("")
  expect(screen.queryByLabelText("Target of INFY")).not.toBeInTheDocument()
})

test("without a stock, or with one that has no target, nothing is sent", async () => {
  const { user, paste } = await openNew()
  for (const label of ["Name", "Rationale", "Benchmark", "Universe", "Selection method", "Risks"])
    await user.fill(await screen.findByLabelText(label), "Text")

  await user.click(screen.getByRole("button", { name: "Create model" }))
  expect(await screen.findByText("Add at least one stock.")).toBeVisible()
  await paste("INFY\t60\nTCS")
  await target("TCS")
  await user.click(screen.getByRole("button", { name: "Create model" }))

  expect(await screen.findByText("Set a target for TCS, or remove it.")).toBeVisible()
})

async function openVersion() {
  answer("get", "/admin/models/:id", model())
  const app = await showApp("/home/models/model-1/version", { role: "ADMIN" })
  await target("INFY")
  return app
}

test("a new version starts from the newest, shows what differs, and is published once", async () => {
  const { user, router } = await openVersion()
  const published = answer("post", "/admin/models/:id/versions", model())
  expect(screen.getByLabelText("Risks")).toHaveValue("Few stocks")
  expect(screen.getByLabelText("Rationale")).toHaveValue("")

  await user.clear(await target("TCS"))
  await user.type(await target("TCS"), "35{Enter}")
  await user.fill(screen.getByLabelText("Rationale"), "Less software.")
  await user.click(screen.getByRole("button", { name: "Publish version 3" }))
  const question = await screen.findByRole("dialog", {
    name: "Publish version 3 of Large Cap Quality?",
  })
  expect(question).toHaveTextContent("0 added, 0 removed, 1 changed. 3 clients follow it.")
  await user.click(within(question).getByRole("button", { name: "Publish" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/model-1"))
  expect(published).toHaveLength(1)
  expect(published[0]?.body).toEqual({
    rationale: "Less software.",
    benchmark: "Nifty 50 TRI",
    universe: "The hundred largest",
    selectionMethod: "Return on capital",
    risks: "Few stocks",
    constituents: [
      { tradingSymbol: "INFY", exchange: "NSE", instrumentToken: 4000, allocationPercentage: 50 },
      { tradingSymbol: "TCS", exchange: "NSE", instrumentToken: 3000, allocationPercentage: 35 },
    ],
  })
  expect(sessionStorage.getItem("tarazu.model.model-1")).toBeNull()
})

test("a refusal shows the server's message, and the draft stays", async () => {
  const { user } = await openVersion()
  answerWith(
    "post",
    "/admin/models/:id/versions",
    { success: false, message: "Nothing differs from version 2.", code: "refused", errors: [] },
    422,
  )
  await user.fill(screen.getByLabelText("Rationale"), "Again.")

  await user.click(screen.getByRole("button", { name: "Publish version 3" }))
  const question = await screen.findByRole("dialog", { name: /^Publish version 3/ })
  await user.click(within(question).getByRole("button", { name: "Publish" }))

  expect(await screen.findByText("Nothing differs from version 2.")).toBeVisible()
  expect(screen.getByLabelText("Rationale")).toHaveValue("Again.")
})

test("a draft based on an older version says so", async () => {
  const first = await openVersion()
  await first.user.fill(screen.getByLabelText("Rationale"), "Mine.")
  first.unmount()
  const third = modelVersion({ _id: "v3", number: 3, constituents: [constituent("ITC", 20)] })
  const now = model()
  answer("get", "/admin/models/:id", {
    ...now,
    latest: { ...now.latest, number: 3 },
    versions: [third, ...now.versions],
  })

  const { user } = await showApp("/home/models/model-1/version", { role: "ADMIN" })

  expect(await screen.findByText(/is based on version 2. Version 3 was published/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Start from version 3" }))
  await user.click(await screen.findByRole("button", { name: "Discard" }))
  expect(await target("ITC")).toHaveValue("20.00%")
})
