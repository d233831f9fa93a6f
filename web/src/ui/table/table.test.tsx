import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, test, vi } from "vitest"
import { amountsHidden, rupees } from "@/lib/format"
import { setScreenWidth } from "@/testing/screen-width"
import { show } from "@/testing/show"
import { type Column, Table } from "./table"
import type { TableProps } from "./table-types"

interface Client {
  code: string
  name: string
  value: number
  city: string
}

const rows: Client[] = [
  { code: "C1001", name: "Asha Rao", value: 3833868.21, city: "Pune" },
  { code: "C1002", name: "Ravi Iyer", value: 1058278.84, city: "Surat" },
]
const columns: Column<Client>[] = [
  { title: "Client Name", cell: (client) => client.name, sortKey: "name" },
  {
    title: "Value",
    cell: (client) => rupees(client.value),
    align: "right",
    sortKey: "value",
  },
  { title: "Client ID", cell: (client) => client.code, card: "note" },
  { title: "City", cell: (client) => client.city, card: "rest" },
]
const idle = { isPending: false, isFetching: false, isError: false, refetch: () => undefined }

const table = (more: Partial<TableProps<Client>> = {}) => (
  <Table
    label="Clients"
    columns={columns}
    rows={rows}
    rowKey={(client) => client.code}
    rowName={(client) => client.name}
    empty={{ title: "No Data Available", hint: "Nobody was added yet." }}
    {...more}
  />
)

describe("on a desk", () => {
  test("it shows heads, rows and totals", async () => {
    await show(table({ totals: { Value: rupees(4892147.05) } }))

    expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
      "Client Name",
      "Value",
      "Client ID",
      "City",
    ])
    expect(screen.getByRole("row", { name: /Asha Rao ₹38,33,868.21 C1001 Pune/ })).toBeVisible()
    expect(screen.getByRole("row", { name: "Total ₹48,92,147.05" })).toBeVisible()
    expect(screen.queryByRole("list", { name: "Clients" })).not.toBeInTheDocument()
  })

  test("a row opens on click and on Enter, but not when its menu is pressed", async () => {
    const onOpen = vi.fn()
    const { user } = await show(table({ onOpen, menu: () => [{ label: "View Detail" }] }))

    await user.click(screen.getByText("Asha Rao"))
    expect(onOpen).toHaveBeenLastCalledWith(rows[0])

    screen.getByRole("row", { name: /Ravi Iyer/ }).focus()
    await user.keyboard("{Enter}")
    expect(onOpen).toHaveBeenLastCalledWith(rows[1])

    await user.click(screen.getByRole("button", { name: "Actions for Asha Rao" }))
    expect(onOpen).toHaveBeenCalledTimes(2)
  })

  test("a menu that opens draws its own row again, and no other", async () => {
    const cell = vi.fn((client: Client) => client.name)
    const menu = () => [{ label: "View Detail" }]
    const { user } = await show(table({ columns: [{ title: "Client Name", cell }], menu }))
    cell.mockClear()

    await user.click(screen.getByRole("button", { name: "Actions for Ravi Iyer" }))

    expect(screen.getByRole("menu")).toBeVisible()
    expect(new Set(cell.mock.calls.map(([client]) => client.name))).toEqual(new Set(["Ravi Iyer"]))
  })

  test("one menu serves every row and gives the focus back", async () => {
    const onSelect = vi.fn<(code: string) => void>()
    const { user } = await show(
      table({
        menu: (client) => [{ label: "View Detail", onSelect: () => onSelect(client.code) }],
      }),
    )

    await user.choose("Actions for Ravi Iyer", "View Detail")

    expect(onSelect).toHaveBeenCalledWith("C1002")
    expect(screen.queryByRole("menu")).not.toBeInTheDocument()
    expect(screen.getByRole("button", { name: "Actions for Ravi Iyer" })).toHaveFocus()
  })

  test("a head sorts: numbers largest first, words from A, then the other way", async () => {
    const onSort = vi.fn()
    const { user } = await show(table({ onSort, sort: "name" }))

    await user.click(screen.getByRole("button", { name: "Value" }))
    await user.click(screen.getByRole("button", { name: "Client Name" }))

    expect(onSort.mock.calls).toEqual([["-value"], ["-name"]])
    expect(screen.getByRole("columnheader", { name: "Client Name" })).toHaveAttribute(
      "aria-sort",
      "ascending",
    )
    expect(screen.getByRole("columnheader", { name: "Value" })).toHaveAttribute("aria-sort", "none")
  })

  test("while it loads it holds the height with skeleton rows and says so", async () => {
    await show(
      table({
        rows: undefined,
        skeletonRows: 3,
        state: { ...idle, isPending: true, isFetching: true },
      }),
    )

    expect(screen.getAllByRole("row")).toHaveLength(4)
    expect(screen.getByRole("status")).toHaveTextContent("Fetching data...")
  })

  test("while the next page comes the old rows stay, marked as busy", async () => {
    const { container } = await show(table({ state: { ...idle, isFetching: true } }))

    expect(screen.getByText("Asha Rao")).toBeVisible()
    expect(container.querySelector("[aria-busy='true']")).toHaveAttribute("data-dimmed", "true")
  })

  test("an empty list says so and why", async () => {
    await show(table({ rows: [] }))

    expect(screen.getByText("No Data Available")).toBeVisible()
    expect(screen.getByText("Nobody was added yet.")).toBeVisible()
    expect(screen.queryByRole("table")).not.toBeInTheDocument()
  })

  test("a failure keeps the last rows and offers Retry", async () => {
    const refetch = vi.fn()
    const { user } = await show(table({ state: { ...idle, isError: true, refetch } }))

    expect(screen.getByRole("alert")).toHaveTextContent("Failed to fetch data")
    expect(screen.getByText("Asha Rao")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Retry" }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  test("sums turn to dots when amounts are hidden", async () => {
    await show(table())

    amountsHidden.set(true)

    await waitFor(() => expect(screen.queryByText("₹38,33,868.21")).not.toBeInTheDocument())
    expect(screen.getAllByText("₹••••")).toHaveLength(2)
  })
})

describe("on a phone", () => {
  test("rows are two-line cards instead, whose other values open with a tap", async () => {
    setScreenWidth(390)
    const { user } = await show(table())

    const card = within(screen.getByRole("list", { name: "Clients" })).getAllByRole("listitem")[0]!
    expect(screen.queryByRole("table")).not.toBeInTheDocument()
    expect(card).toHaveTextContent("Asha Rao₹38,33,868.21C1001")
    expect(card).not.toHaveTextContent("Pune")
    await user.click(within(card).getByRole("button", { name: "Show details of Asha Rao" }))
    expect(card).toHaveTextContent("CityPune")
  })

  test("a card opens with a tap", async () => {
    setScreenWidth(390)
    const onOpen = vi.fn()
    const { user } = await show(table({ onOpen }))

    await user.click(screen.getByRole("button", { name: /^Ravi Iyer/ }))

    expect(onOpen).toHaveBeenCalledWith(rows[1])
  })
})
