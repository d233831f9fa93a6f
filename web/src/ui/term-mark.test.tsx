import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { show } from "@/testing/show"
import { Facts } from "./facts"
import { Table } from "./table/table"

const rows = [{ name: "Asha Rao" }]

test("a term has a mark whose sentence the keyboard reaches; other labels have none", async () => {
  const facts: [string, string][] = [
    ["Max drawdown", "-4.00%"],
    ["Address", "72 Model Town"],
  ]
  const { user } = await show(<Facts facts={facts} />)
  expect(screen.getAllByRole("button")).toHaveLength(1)

  await user.tab()

  expect(screen.getByRole("button", { name: "What is Max drawdown?" })).toHaveFocus()
  expect(await screen.findByRole("tooltip")).toHaveTextContent(
    "The deepest fall from a high to a later low, in time-weighted value.",
  )
})

test("the mark in a head of a table is no part of the head's name", async () => {
  await show(
    <Table
      label="Drift"
      columns={[{ title: "Total Drift", cell: (row: { name: string }) => row.name }]}
      rows={rows}
      rowKey={(row) => row.name}
      rowName={(row) => row.name}
      empty={{ title: "No Data Available" }}
    />,
  )

  const head = screen.getByRole("columnheader", { name: "Total Drift" })
  expect(head).toHaveAttribute("aria-label", "Total Drift")
  expect(screen.getByRole("button", { name: "What is Total drift?" })).toBeVisible()
})
