import { act, screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { amountsHidden } from "@/lib/format"
import { keptBooks } from "@/testing/books"
import { holding, portfolio } from "@/testing/clients"
import { answer, answerWith } from "@/testing/server"
import { show } from "@/testing/show"
import { PortfolioTab } from "./portfolio-tab"

const base = "/admin/clients/client/id-1"

/** Everything visible or read aloud: texts, accessible names and tooltips. */
const told = () =>
  [...document.querySelectorAll("[aria-label], [title]")]
    .flatMap((each) => [each.getAttribute("aria-label"), each.getAttribute("title")])
    .concat(document.body.textContent)
    .join(" ")

test("hidden amounts are hidden in every card, table, total and name; percentages stay", async () => {
  chooseClient("id-1", "C0001")
  answer("get", `${base}/portfolio`, portfolio())
  answerWith("get", `${base}/holdings`, {
    success: true,
    data: [holding()],
    totals: { currentValue: 800_000, invested: 600_000, pnl: 200_000, pnlPercentage: 33.33 },
    stale: [],
    pricedAt: "2026-11-20T10:00:00Z",
  })
  keptBooks()
  await show(<PortfolioTab />)
  await screen.findByRole("img", { name: /₹12.50 L/ })
  await waitFor(() => expect(screen.getAllByRole("row", { name: /^Total/ })).toHaveLength(3))

  act(() => amountsHidden.set(true))

  expect(told()).toContain("₹••••")
  expect(told().match(/₹[\d,.]+/g)).toBeNull()
  expect(told()).toContain("+11.80%")
})
