import { screen, waitFor, within } from "@testing-library/react"
import { expect } from "vitest"
import { draft } from "@/features/advice/draft"
import { rowsOf } from "@/features/advice/holdings"
import { keyOf } from "@/features/advice/targets"
import { adviceAnswered, asha, ashaHoldings, ashaRebalance } from "./advice-rows"
import { answer, answerWith } from "./server"
import { showApp } from "./show"

/** The call behind the client code, for `answer` and `refuse`. */
export const byCode = "/admin/advice/clients/by-code/:code/holdings"

export const codeField = () => screen.getByLabelText("Client code")
export const targetOf = (symbol: string) => screen.getByLabelText(`Target Allocation of ${symbol}`)
export const autoOf = (symbol: string) => screen.getByRole("switch", { name: `Auto for ${symbol}` })
export const meter = () => screen.getByRole("meter", { name: "Target allocation" })

/** Opens the advice form and types Asha's code; `set` types a target into its row. */
export async function openAdvice() {
  const holdings = adviceAnswered()
  const app = await showApp("/home/advice", { role: "ADMIN" })
  await app.user.fill(codeField(), "c1007")
  await screen.findByLabelText("Target Allocation of INFY")
  const set = async (symbol: string, percent: string) => {
    await app.user.clear(targetOf(symbol))
    await app.user.fill(targetOf(symbol), percent)
    await app.user.keyboard("{Enter}")
  }
  return { ...app, set, holdings }
}

/** A draft for Asha that is ready to be rebalanced: INFY 50%, TCS 40%, CASH 10%. */
export function draftForAsha() {
  const targets = new Map([
    ["NSE:INFY", 5000],
    ["NSE:TCS", 4000],
    ["CASH", 1000],
  ])
  draft.change({
    username: "C1007",
    client: { id: asha._id, name: asha.name, code: "C1007" },
    investment: 100_000,
    held: rowsOf(ashaHoldings),
    rows: rowsOf(ashaHoldings).map((row) => ({ ...row, target: targets.get(keyOf(row)) ?? null })),
  })
}

const noTaxStops: object = { stops: [], leftOut: [], reasonText: "" }

/** The result, or the preview, of Asha's draft; `confirmSend` opens the last question. */
export async function openComputed(
  address = "/home/advice-rebalance",
  { rebalance = ashaRebalance, stops = [] as object[], taxStops = noTaxStops } = {},
) {
  adviceAnswered()
  answer("get", "/admin/advice/rebalances/:id/fewer-orders", stops)
  answer("get", "/admin/advice/rebalances/:id/less-tax", taxStops)
  const calls = answerWith("post", "/admin/advice/rebalance-portfolio", rebalance)
  const app = await showApp(address, { role: "ADMIN" })
  await screen.findByRole("button", { name: "Send" })
  await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeEnabled())
  const confirmSend = async () => {
    await app.user.click(screen.getByRole("button", { name: "Send" }))
    const dialog = await screen.findByRole("dialog", { name: "Send advice" })
    // Once the checks before the send are there.
    await waitFor(() =>
      expect(within(dialog).getByRole("button", { name: /^Send \d/ })).toBeEnabled(),
    )
    return dialog
  }
  return { ...app, calls, confirmSend }
}
