import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseFile, importPath, reportOf } from "@/testing/imports"
import { answer } from "@/testing/server"
import type { ImportReport } from "./import-calls"

test("a file of clients shows who is added", async () => {
  const clients = [
    {
      line: 2,
      clientId: "",
      name: "Meera Nair",
      email: "meera@mail.example",
      countryCode: "+91",
      contactNumber: "9845012345",
      language: "EN" as const,
    },
  ]
  const counts = { added: 1, changed: 0, removed: 0, unchanged: 0, refused: 0, clients: 1 }
  answer("post", importPath, reportOf({ kind: "CLIENTS", rows: [], clients, counts }))

  await chooseFile("clients")

  const rows = within(await screen.findByRole("table")).getAllByRole("row")
  expect(rows[1]).toHaveTextContent("Meera Nairmeera@mail.example+91 9845012345-2")
  expect(screen.queryByText("No changes.")).toBeNull()
})

test("a file of funds marks what is already in Accounting", async () => {
  const flow = { line: 2, clientId: "C0001", clientName: "Asha Rao", date: "2025-04-01" }
  const flows: ImportReport["flows"] = [
    { ...flow, amount: 50000, type: "FUNDS_ADDED", change: "ADDED" },
    { ...flow, line: 3, amount: 1250.5, type: "FUNDS_WITHDRAWN", change: "UNCHANGED" },
  ]
  const counts = { added: 1, changed: 0, removed: 0, unchanged: 1, refused: 0, clients: 1 }
  answer("post", importPath, reportOf({ kind: "FUNDS", rows: [], flows, counts }))

  await chooseFile("funds", "id-1")

  const rows = within(await screen.findByRole("table")).getAllByRole("row")
  expect(rows[1]).toHaveTextContent("01/04/2025₹50,000.00Fund AddedADDED2")
  expect(rows[2]).toHaveTextContent("01/04/2025₹1,250.50Fund WithdrawlUNCHANGED3")
})

test("a tradebook shows the orders formed by its trades", async () => {
  const orders: ImportReport["orders"] = [
    {
      line: 2,
      clientId: "C0001",
      clientName: "Asha Rao",
      brokerOrderId: "1100000001",
      orderedAt: "2025-04-03T04:35:01Z",
      symbol: "INFY",
      exchange: "NSE",
      side: "BUY",
      quantity: 40,
      averagePrice: 1501.5,
      change: "ADDED",
    },
  ]
  const counts = { added: 1, changed: 0, removed: 0, unchanged: 0, refused: 0, clients: 1 }
  answer("post", importPath, reportOf({ kind: "CONSOLE_TRADEBOOK", rows: [], orders, counts }))

  await chooseFile("funds", "id-1")

  const rows = within(await screen.findByRole("table")).getAllByRole("row")
  expect(rows[1]).toHaveTextContent("03/04/2025INFYBUY401,501.50ADDED")
})
