import { screen } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { readinessAnswered } from "@/testing/readiness"
import { refuse } from "@/testing/server"
import { showApp } from "@/testing/show"

async function openOptions(search: string) {
  readinessAnswered([])
  const shown = await showApp(`/home/readiness${search}`, { role: "USER" })
  await shown.user.click(await screen.findByRole("button", { name: "Table options: Readiness" }))
  return shown
}

test.each([
  ["CSV", "csv", "?show=MONEY&query=rao&page=3", { problem: "MONEY", query: "rao" }],
  ["Excel", "xlsx", "?show=READY", { ready: "true" }],
])("the list is saved as %s with its filters, whole", async (word, format, search, filters) => {
  const requests = answerFile("/admin/readiness/export", `readiness.${format}`)
  const saved = watchDownloads()
  const { user } = await openOptions(search)

  await user.click(await screen.findByRole("menuitem", { name: `Download ${word}` }))

  await vi.waitFor(() => expect(saved).toEqual([`readiness.${format}`]))
  const { searchParams } = new URL(requests[0]!.url)
  expect(Object.fromEntries(searchParams)).toMatchObject({ format, ...filters })
  expect(searchParams.has("page")).toBe(false)
  expect(searchParams.has("limit")).toBe(false)
})

test("the reason why nothing is saved is shown", async () => {
  refuse("get", "/admin/readiness/export", 422, "More than 20,000 rows match. Narrow the filters.")
  const { user } = await openOptions("")

  await user.click(await screen.findByRole("menuitem", { name: "Download CSV" }))

  expect(await screen.findByText("More than 20,000 rows match. Narrow the filters.")).toBeVisible()
})
