import { screen } from "@testing-library/react"
import { vi } from "vitest"
import type { ImportReport } from "@/features/portfolio/import-calls"
import { ImportFile, type ImportKind } from "@/features/portfolio/import-file"
import { show } from "./show"

/** Where files are sent. */
export const importPath = "/admin/clients/import"

/** A file of holdings that was checked: one stock added, one changed, one removed. */
export const reportOf = (change: Partial<ImportReport> = {}): ImportReport => ({
  _id: "import-1",
  state: "CHECKED",
  kind: "KITE_HOLDINGS_CSV",
  kindName: "Kite holdings (CSV)",
  fileName: "holdings.csv",
  asOn: "2026-11-20",
  brokerClientId: "AB1234",
  isDryRun: true,
  step: "Done",
  done: 3,
  total: 3,
  message: "1 added, 1 changed, 1 removed, 20 unchanged.",
  counts: { added: 1, changed: 1, removed: 1, unchanged: 20, refused: 0, clients: 1 },
  rows: [
    rowOf("WIPRO", "ADDED", [null, 40], [null, 512.35], 2),
    rowOf("INFY", "CHANGED", [20, 35], [1200, 1250.5], 3),
    rowOf("ITC", "REMOVED", [15, null], [410, null], null),
  ],
  clients: [],
  flows: [],
  orders: [],
  rowsLeftOut: 0,
  cash: [],
  refused: [],
  warnings: [{ line: 4, text: "Its price is 40% off the last one." }],
  leftOut: ["Mutual funds (2 rows)"],
  canApply: true,
  ...change,
})

function rowOf(
  tradingSymbol: string,
  change: ImportReport["rows"][number]["change"],
  quantities: [number | null, number | null],
  prices: [number | null, number | null],
  line: number | null,
): ImportReport["rows"][number] {
  return {
    line,
    clientId: "C0001",
    clientName: "Asha Rao",
    tradingSymbol,
    name: `${tradingSymbol} Ltd`,
    isin: `INE-${tradingSymbol}`,
    change,
    quantityBefore: quantities[0],
    quantityAfter: quantities[1],
    averagePriceBefore: prices[0],
    averagePriceAfter: prices[1],
  }
}

export const enveloped = (report: ImportReport) => ({ success: true, message: null, data: report })

/** What a field of the sent form says; undefined where it is not sent. */
export const sentField = (body: unknown, name: string) =>
  new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(String(body))?.[1]

/** Opens the dialog and chooses a file in it. */
export async function chooseFile(kind: ImportKind, clientId?: string) {
  const onClose = vi.fn()
  const shown = await show(<ImportFile kind={kind} clientId={clientId} onClose={onClose} />)
  const file = new File(["Instrument,Qty.\n"], `${kind}.csv`, { type: "text/csv" })
  await shown.user.upload(screen.getByLabelText("Drop a file here, or choose one"), file)
  return { ...shown, onClose }
}
