import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { sentField } from "@/testing/imports"
import { answer, answerBy } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import type { BenchmarkReport, Benchmarks } from "./benchmark-queries"

const overview: Benchmarks = {
  benchmarks: [
    {
      _id: "index-1",
      name: "NIFTY 50 TRI",
      kind: "TRI",
      source: "nifty.csv",
      values: 500,
      firstOn: "2024-11-25",
      lastOn: "2026-11-20",
      gaps: [{ from: "2026-04-06", to: "2026-04-07", days: 2 }],
      checkedFrom: "2024-01-01",
    },
    {
      _id: "index-2",
      name: "NIFTY 50",
      kind: "PRICE",
      source: "prices.csv",
      values: 20,
      firstOn: "2026-10-25",
      lastOn: "2026-11-20",
      gaps: [],
      checkedFrom: "2024-01-01",
    },
  ],
  chosen: null,
  version: 4,
}

const report = (isDryRun: boolean): BenchmarkReport => ({
  fileName: "nifty.csv",
  name: "NIFTY 50 TRI",
  kind: "TRI",
  isNew: false,
  isDryRun,
  canApply: true,
  message: isDryRun ? "3 values to add." : "3 values added.",
  firstOn: "2024-11-25",
  lastOn: "2026-11-23",
  counts: { added: 3, replaced: 0, unchanged: 2, withoutValue: 0, refused: 0 },
  refused: [],
  warnings: [],
  gaps: [{ from: "2026-04-06", to: "2026-04-07", days: 2 }],
  gapsLeftOut: 0,
  checkedFrom: "2024-01-01",
})

beforeEach(() => {
  signedIn()
  answer("get", "/admin/benchmarks", overview)
})

const open = () => showApp("/home/settings?section=benchmark", { role: "ADMIN" })

test("the indices are listed with kind, days and what is missing", async () => {
  await open()

  const row = await screen.findByRole("row", { name: /NIFTY 50 TRI/ })
  expect(row).toHaveTextContent("Total return index")
  expect(row).toHaveTextContent("25-11-2024 – 20-11-2026")
  expect(row).toHaveTextContent("2 business days")
  expect(screen.getByText("Price index, without dividends")).toBeVisible()
})

test("the benchmark is chosen at the state that was seen", async () => {
  const sent = answer("put", "/admin/settings/benchmark", overview, { message: "Benchmark saved" })
  const { user } = await open()

  await user.selectOptions(
    await screen.findByRole("combobox", { name: "Benchmark" }),
    "NIFTY 50 TRI",
  )

  await waitFor(() => expect(toastMessages()).toEqual(["Benchmark saved"]))
  expect(sent[0]?.body).toEqual({ name: "NIFTY 50 TRI", version: 4 })
})

test("a file is checked first, then imported", async () => {
  const calls = answerBy("post", "/admin/imports/benchmark", (call) => ({
    success: true,
    message: null,
    data: report(sentField(call.body, "dryRun") === "true"),
  }))
  const { user } = await open()
  const [importButton] = await screen.findAllByRole("button", { name: "Import index values" })
  await user.click(importButton!)
  const dialog = await screen.findByRole("dialog", { name: "Import index values" })

  const file = new File(["x"], "nifty.csv", { type: "text/csv" })
  await user.upload(within(dialog).getByLabelText(/Drop a file here/), file)
  expect(await within(dialog).findByText("3 values to add.")).toBeVisible()
  await user.click(within(dialog).getByRole("button", { name: "Apply" }))

  expect(await within(dialog).findByText("Imported. 3 values added.")).toBeVisible()
  expect(calls.map((call) => sentField(call.body, "dryRun"))).toEqual(["true", "false"])
})
