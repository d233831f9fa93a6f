import { screen } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { expect, test, vi } from "vitest"
import { pageOf } from "@/testing/clients"
import { answer, refuse, server } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const none = {
  total: 0,
  ready: 0,
  session: 0,
  sync: 0,
  unmapped: 0,
  changes: 0,
  money: 0,
  prices: 0,
}

async function openOptions(search: string) {
  signedIn("USER")
  answer("get", "/admin/sync", null, pageOf(0))
  answer("get", "/admin/readiness", [], {
    counts: none,
    toConnect: 0,
    mastersReadAt: {},
    alarms: [],
    ...pageOf(0),
  })
  const shown = await showApp(`/home/readiness${search}`, { role: "USER" })
  await shown.user.click(await screen.findByRole("button", { name: "Table options: Readiness" }))
  return shown
}

test.each([
  ["CSV", "csv", "?show=MONEY&query=rao&page=3", { problem: "MONEY", query: "rao" }],
  ["Excel", "xlsx", "?show=READY", { ready: "true" }],
])("the list is saved as %s with its filters, whole", async (word, format, search, filters) => {
  const asked: URLSearchParams[] = []
  server.use(
    http.get("*/api/v1/admin/readiness/export", ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return new HttpResponse("Client ID", {
        headers: { "Content-Disposition": `attachment; filename="readiness.${format}"` },
      })
    }),
  )
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  const { user } = await openOptions(search)

  await user.click(await screen.findByRole("menuitem", { name: `Download ${word}` }))

  await vi.waitFor(() => expect(saved).toEqual([`readiness.${format}`]))
  const [first] = asked
  expect(Object.fromEntries(first!)).toMatchObject({ format, ...filters })
  expect(first!.has("page")).toBe(false)
  expect(first!.has("limit")).toBe(false)
})

test("the reason why nothing is saved is shown", async () => {
  refuse("get", "/admin/readiness/export", 422, "More than 20,000 rows match. Narrow the filters.")
  const { user } = await openOptions("")

  await user.click(await screen.findByRole("menuitem", { name: "Download CSV" }))

  expect(await screen.findByText("More than 20,000 rows match. Narrow the filters.")).toBeVisible()
})
