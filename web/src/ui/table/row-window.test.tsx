import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { show } from "@/testing/show"
import { type Column, Table } from "./table"

const columns: Column<number>[] = [{ title: "Number", cell: (row) => `row ${row}` }]
const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1)

const tableOf = (rows: number[], rowHeight?: number) => (
  <Table
    label="Numbers"
    columns={columns}
    rows={rows}
    rowKey={String}
    rowHeight={rowHeight}
    empty={{ title: "None" }}
  />
)
const drawn = () =>
  within(screen.getByRole("table"))
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent)

test("a hundred rows are all drawn", async () => {
  await show(tableOf(upTo(100), 36))

  expect(drawn()).toHaveLength(100)
  expect(screen.getByRole("table")).not.toHaveAttribute("aria-rowcount")
})

test("of many rows those in sight are drawn, and all are counted", async () => {
  await show(tableOf(upTo(5000), 36))

  expect(drawn().length).toBeLessThan(120)
  expect(drawn()[0]).toBe("row 1")
  expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "5001")

  const frame = screen.getByRole("region", { name: "Numbers, table" })
  frame.scrollTop = 36 * 3000
  fireEvent.scroll(frame)

  await waitFor(() => expect(drawn()).toContain("row 3001"))
  expect(drawn()).not.toContain("row 1")
  expect(screen.getByText("row 3001").closest("tr")).toHaveAttribute("aria-rowindex", "3002")
})

test("rows of unlike heights are all drawn", async () => {
  await show(tableOf(upTo(300)))

  expect(drawn()).toHaveLength(300)
})
