import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { rowTexts } from "@/testing/tables"
import { ExpectedDividends } from "./expected-dividends"
import type { ExpectedDividend } from "./queries"

const path = "/admin/clients/client/id-1/dividends"
const dividend: ExpectedDividend = {
  tradingSymbol: "INFY",
  name: "Infosys Ltd.",
  isin: "INE009A01021",
  exOn: "2026-11-20",
  payOn: "2026-12-04",
  shares: 100,
  perShare: 7.25,
  amount: 725,
}
const unknown: ExpectedDividend = {
  ...dividend,
  tradingSymbol: "TCS",
  name: "Tata Consultancy Services Ltd.",
  isin: "INE467B01029",
  payOn: null,
  shares: null,
  amount: null,
}

async function open(rows: ExpectedDividend[]) {
  answer("get", path, rows)
  await show(<ExpectedDividends clientId="id-1" />)
}

test("a dividend is shown with its shares, its amount and the day on which it is paid", async () => {
  await open([dividend])

  const card = await screen.findByRole("region", { name: "Expected Dividends" })
  expect(card).toHaveTextContent("Before tax.")
  expect(rowTexts()).toEqual(["INFYInfosys Ltd.20/11/202604/12/20261007.25₹725.00"])
})

test("what is not known is shown as such and is in no sum", async () => {
  await open([dividend, unknown])

  await screen.findByRole("region", { name: "Expected Dividends" })
  expect(rowTexts()).toEqual([
    "INFYInfosys Ltd.20/11/202604/12/20261007.25₹725.00",
    "TCSTata Consultancy Services Ltd.20/11/2026--7.25-",
    "TotalKnown₹725.00",
  ])
})
