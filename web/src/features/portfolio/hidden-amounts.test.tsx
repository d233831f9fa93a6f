import { act, screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { amountsHidden } from "@/lib/format"
import { portfolioAnswered } from "@/testing/books"
import { show } from "@/testing/show"
import { PortfolioTab } from "./portfolio-tab"

/** Everything visible or read aloud: texts, accessible names and tooltips. */
const pageText = () =>
  [...document.querySelectorAll("[aria-label], [title]")]
    .flatMap((each) => [each.getAttribute("aria-label"), each.getAttribute("title")])
    .concat(document.body.textContent)
    .join(" ")

test("hidden amounts are hidden in every card, table, total and name; percentages stay", async () => {
  portfolioAnswered()
  await show(<PortfolioTab />)
  await screen.findByRole("img", { name: /₹12.50 L/ })
  await waitFor(() => expect(screen.getAllByRole("row", { name: /^Total/ })).toHaveLength(3))

  act(() => amountsHidden.set(true))

  expect(pageText()).toContain("₹••••")
  expect(pageText().match(/₹[\d,.]+/g)).toBeNull()
  expect(pageText()).toContain("+11.80%")
})
