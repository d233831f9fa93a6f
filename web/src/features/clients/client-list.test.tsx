import { act, screen, waitFor, within } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { clientProfile, clientRow, pageOf } from "@/testing/clients"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, breakOff, hang, refuse, server } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { cellsOf, headings, pageSizes } from "@/testing/tables"
import { toasts } from "@/ui/overlay/toast"

const two = [
  clientRow(),
  clientRow({
    _id: "id-2",
    clientId: "C0002",
    name: "Ravi Iyer",
    netPnL: -400.98,
    netPnLPercentage: -0.17,
    isConnected: false,
  }),
]

afterEach(() => vi.useRealTimers())

async function showList(address = "/home/client/details", role: "ADMIN" | "USER" = "ADMIN") {
  signedIn(role)
  const shown = await showApp(address, { role })
  return shown
}

test("a client's row has the columns of the specification", async () => {
  answer("get", "/admin/clients", two, pageOf(2))

  await showList()

  expect(await headings()).toBe(
    "Choose | Client ID | Client Name | Current Portfolio Value | Total Amount | P&L Amount | Cash Available | Status | Model | Largest Drift | Last Advice | Actions",
  )
  expect(cellsOf(screen.getByRole("row", { name: /C0001/ }))).toContain(
    "C0001 | Asha Rao | ₹56,95,524.30 | ₹49,85,000.00 | +₹7,10,524.30+14.25% | ₹1,45,478.10 | Login",
  )
  const second = screen.getByRole("row", { name: /C0002/ })
  expect(second).toHaveTextContent("-₹400.98-0.17%")
  expect(second).toHaveTextContent("Logout")
})

test("the first page has fifty rows; another size begins at the first, and the address has what differs", async () => {
  const calls = answer("get", "/admin/clients", two, pageOf(120))
  const { user, router } = await showList()
  await screen.findByText("1–50 of 120")
  const unfiltered = { page: "1", limit: "50", query: "", sort: "" }
  expect(Object.fromEntries(calls[0]!.search)).toEqual(unfiltered)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  await screen.findByText("51–100 of 120")
  expect(calls.at(-1)!.search.get("page")).toBe("2")
  expect(router.state.location.search).toMatchObject({ page: 2 })
  expect(await pageSizes()).toBe("10, 20, 50, 100")
  await user.selectOptions(screen.getByLabelText("Rows on a page"), "20")

  await waitFor(() => expect(calls.at(-1)!.search.get("limit")).toBe("20"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
})

test("a shared address restores page, size, search and order", async () => {
  const calls = answer("get", "/admin/clients", two, pageOf(120, 20))

  await showList("/home/client/details?page=2&limit=20&query=rao&sort=-netPnL")

  await screen.findByText("21–40 of 120")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "2",
    limit: "20",
    query: "rao",
    sort: "-netPnL",
  })
  expect(screen.getByLabelText("Search by name or client ID")).toHaveValue("rao")
  expect(screen.getByRole("columnheader", { name: "P&L Amount" })).toHaveAttribute(
    "aria-sort",
    "descending",
  )
})

test("while the list is fetched it says so", async () => {
  hang("get", "/admin/clients")

  await showList()

  expect(screen.getByText("Fetching Data...")).toBeInTheDocument()
})

test("a search waits for a rest in the typing and starts on page 1", async () => {
  const calls = answer("get", "/admin/clients", two, pageOf(120))
  const { user } = await showList("/home/client/details?page=2")
  await screen.findByText("51–100 of 120")

  await user.fill(screen.getByLabelText("Search by name or client ID"), "ravi")

  await waitFor(() => expect(calls.at(-1)!.search.get("query")).toBe("ravi"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
  expect(calls.map((call) => call.search.get("query"))).not.toContain("ra")
})

test.each(["the row", "View Detail"])(
  "%s opens the profile, and keeps id and code",
  async (way) => {
    answer("get", "/admin/clients", two, pageOf(2))
    answer(
      "get",
      "/admin/clients/client/id-2/profile",
      clientProfile({ _id: "id-2", name: "Ravi Iyer" }),
    )
    const { user, router } = await showList()

    if (way === "the row") await user.click(await screen.findByRole("row", { name: /C0002/ }))
    else await user.choose("Actions for Ravi Iyer", way)

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/profile"))
    expect(session.get("clientId")).toBe("id-2")
    expect(session.get("username")).toBe("C0002")
  },
)

test("an ADMIN can send advice from the menu, and the form gets the client's code", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const { user, router } = await showList()
  await screen.findByRole("row", { name: /C0002/ })

  await user.click(screen.getByRole("button", { name: "Actions for Ravi Iyer" }))
  expect(await screen.findByRole("menuitem", { name: "View Detail" })).toBeVisible()
  answer("get", "/admin/broker", { isConnected: false })
  refuse("get", "/admin/advice/clients/by-code/:code/holdings", 404, "Not found")
  await user.click(screen.getByRole("menuitem", { name: "Send Advice" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  expect(router.state.location.state.username).toBe("C0002")
})

test("a USER is not offered to send advice", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const { user } = await showList("/home/client/details", "USER")
  await screen.findByRole("row", { name: /C0002/ })

  await user.click(screen.getByRole("button", { name: "Actions for Ravi Iyer" }))

  expect(await screen.findByRole("menuitem", { name: "View Detail" })).toBeVisible()
  expect(screen.queryByRole("menuitem", { name: "Send Advice" })).toBeNull()
})

test("new figures arrive automatically, and the rows keep their places", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer("get", "/admin/clients", two, pageOf(2))
  await showList("/home/client/details?sort=-totalPortfolio")
  await screen.findByRole("row", { name: /C0001/ })
  server.resetHandlers()
  const richer = { ...two[1]!, totalPortfolio: 9_999_999 }
  answer("get", "/admin/clients", [richer, two[0]!], pageOf(2))

  await act(() => vi.advanceTimersByTimeAsync(6_000))

  await screen.findByText("₹99,99,999.00")
  const codes = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[1]!.textContent)
  expect(codes).toEqual(["C0001", "C0002"])
})

test("a set of columns is remembered", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const { user, unmount } = await showList()
  await screen.findByRole("row", { name: /C0001/ })

  await user.click(screen.getByRole("button", { name: "Table options: Clients" }))
  await user.click(await screen.findByRole("menuitemradio", { name: "Basic" }))
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: "P&L Amount" })).toBeNull())
  unmount()
  await showList()

  await screen.findByRole("row", { name: /C0001/ })
  expect(screen.queryByRole("columnheader", { name: "P&L Amount" })).toBeNull()
  expect(screen.getByRole("columnheader", { name: "Status" })).toBeVisible()
})

test("the list is exported with its search and order", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const calls = refuse("get", "/admin/clients/export", 503, "Busy, try again")
  const { user } = await showList("/home/client/details?query=asha&sort=-name&page=1")
  await screen.findByRole("row", { name: /C0001/ })

  await user.choose("Table options: Clients", "Download Excel")

  await waitFor(() => expect(toasts.get().at(-1)?.message).toBe("Busy, try again"))
  expect(calls[0]!.search.toString()).toBe("query=asha&sort=-name&format=xlsx")
})

test("a list that fails to load says so, in a toast and in its place, and can be asked again", async () => {
  breakOff("get", "/admin/clients")
  const { user } = await showList()
  expect(await screen.findAllByText("Failed to fetch data")).toHaveLength(2)
  expect(toasts.get()).toMatchObject([{ kind: "error", message: "Failed to fetch data" }])
  answer("get", "/admin/clients", two, pageOf(2))

  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await screen.findByRole("row", { name: /C0001/ })).toBeVisible()
})

test("nothing found says so and offers to clear the search", async () => {
  const calls = answer("get", "/admin/clients", [], pageOf(0))
  const { user } = await showList("/home/client/details?query=zzz")
  await screen.findByText("No Data Available")

  await user.click(screen.getByText("Clear search"))

  await waitFor(() => expect(calls.at(-1)!.search.get("query")).toBe(""))
})

test("on a phone a client is a card, and the order is chosen from a menu", async () => {
  setScreenWidth(390)
  const calls = answer("get", "/admin/clients", two, pageOf(2))
  const { user } = await showList()
  const card = await screen.findByRole("button", { name: /Asha Rao\s*₹56,95,524.30\s*C0001/ })
  expect(card).toHaveTextContent("+14.25%")
  expect(screen.queryByRole("table")).toBeNull()

  await user.choose("Sort", "Largest portfolio")

  await waitFor(() => expect(calls.at(-1)!.search.get("sort")).toBe("-totalPortfolio"))
})

test("the firm-wide import opens from the list", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const { user } = await showList()
  await screen.findByRole("row", { name: /C0001/ })

  await user.choose("More", "Import holdings")

  expect(await screen.findByText(/A CSV for all clients/)).toBeVisible()
})
