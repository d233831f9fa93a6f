import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { model } from "@/testing/models"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { trackRecord } from "@/testing/track-records"

const path = "/admin/models/:id/track-record"

beforeEach(() => {
  signedIn()
  answer("get", "/admin/models/:id", model())
})
afterEach(() => vi.restoreAllMocks())

const open = () => showApp("/home/models/model-1?tab=record", { role: "ADMIN" })

test("the value, the benchmark, the followers and the gap are shown", async () => {
  answer("get", path, trackRecord())
  await open()

  const shown = await screen.findByRole("group", { name: "Model" })
  expect(shown).toHaveTextContent("+6.00%")
  expect(shown).toHaveTextContent("Under a year: not annualised")
  expect(screen.getByRole("group", { name: "Nifty 50 TRI" })).toHaveTextContent("+2.00%")
  expect(screen.getByRole("group", { name: "Followers as executed" })).toHaveTextContent(
    "Implementation gap",
  )
  expect(screen.getByRole("group", { name: "Maximum drawdown" })).toHaveTextContent("-2.50%")
  expect(
    screen.getByRole("img", {
      name: /Large Cap Quality: 6.00% from 16 Nov 2026 to 20 Nov 2026, Nifty 50 TRI 2.00%, followers 4.50%/,
    }),
  ).toBeVisible()
  expect(screen.getByText(/1 of 8 subscribers follow with a part of their money/)).toBeVisible()
  const row = screen.getByRole("row", { name: /Oct 2026/ })
  expect(row).toHaveTextContent("+2.50%")
  expect(row).toHaveTextContent("7")
})

test("days without a value are listed with the stocks", async () => {
  answer("get", path, trackRecord())
  await open()

  const unknown = await screen.findByRole("region", { name: /Days without a value/ })
  expect(within(unknown).getByRole("row", { name: /19\/11\/2026/ })).toHaveTextContent("ITC")
})

test("the table has every day, a dash where the value is not known", async () => {
  answer("get", path, trackRecord())
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Table" }))

  expect(screen.getByRole("row", { name: /19\/11\/2026 - 101.80/ })).toBeVisible()
})

test("a model without values says why", async () => {
  const nothing = { series: [], figures: null, besideBenchmark: null, followers: null }
  answer("get", path, trackRecord({ ...nothing, madeAt: null }))
  await open()

  expect(await screen.findByText("No track record yet")).toBeVisible()
  expect(screen.getByText("It is calculated within the next minutes.")).toBeVisible()
})

test("a factsheet asks for whom it is, and shows why it is refused", async () => {
  answer("get", path, trackRecord())
  const reason = "Past performance may be shown to the public only as verified."
  const asked = refuse("get", "/admin/models/:id/factsheet.pdf", 422, reason)
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Factsheet" }))
  const dialog = await screen.findByRole("dialog", { name: "Factsheet" })
  await user.click(within(dialog).getByLabelText(/^The public/))
  await user.click(within(dialog).getByRole("button", { name: "Make factsheet" }))

  expect(await within(dialog).findByRole("alert")).toHaveTextContent(reason)
  expect(asked[0]?.search.get("audience")).toBe("PUBLIC")
})

test("for a person who asked, the name goes along and the file is saved", async () => {
  answer("get", path, trackRecord())
  const saved = watchDownloads()
  const name = "factsheet-2026-11-20.html"
  const requests = answerFile("/admin/models/model-1/factsheet.html", name)
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Factsheet" }))
  const dialog = await screen.findByRole("dialog", { name: "Factsheet" })
  await user.click(within(dialog).getByLabelText("One person who asked for it"))
  await user.type(within(dialog).getByLabelText("Who asked for it?"), "Vidya Mehta")
  await user.click(within(dialog).getByRole("button", { name: "Web page" }))
  await user.click(within(dialog).getByRole("button", { name: "Make factsheet" }))

  await waitFor(() => expect(saved).toEqual([name]))
  const { searchParams } = new URL(requests[0]!.url)
  expect(Object.fromEntries(searchParams)).toEqual({
    audience: "PROSPECT",
    askedBy: "Vidya Mehta",
  })
})
