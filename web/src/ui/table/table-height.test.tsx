import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { setScreenWidth } from "@/testing/screen-width"
import { show } from "@/testing/show"
import { type Column, Table } from "./table"
import type { TableProps } from "./table-types"

const columns: Column<string>[] = [
  { title: "Name", cell: (name) => name },
  { title: "Value", cell: () => "-" },
  { title: "Share", cell: () => "-" },
]
const table = (more: Partial<TableProps<string>> = {}) => (
  <Table
    label="Clients"
    name="test"
    columns={columns}
    rows={["Asha Rao"]}
    rowKey={(name) => name}
    empty={{ title: "No Data Available" }}
    {...more}
  />
)
const options = () => screen.getByRole("button", { name: "Table options: Clients" })
const region = () => screen.getByRole("region", { name: "Clients, table" })
const fill = () => screen.findByRole("menuitemcheckbox", { name: "Fill the window" })

test("a table is at most 450 pixels high; filling the window is chosen and remembered", async () => {
  const { user, unmount } = await show(table({ around: 216 }))
  expect(region()).toHaveStyle({ maxHeight: "450px" })

  await user.click(options())
  await user.click(await fill())
  expect(region().style.maxHeight).toBe("max(450px, calc(100dvh - 216px))")
  unmount()
  await show(table({ around: 216 }))
  expect(region().style.maxHeight).toBe("max(450px, calc(100dvh - 216px))")
  await user.click(options())
  await user.click(await fill())

  expect(region()).toHaveStyle({ maxHeight: "450px" })
  expect(localStorage.getItem("tarazu.fills-window.test")).toBeNull()
})

test("filling the window is the only option of a table of fields", async () => {
  const { user } = await show(table({ isForm: true }))

  await user.click(options())

  expect(await fill()).toBeVisible()
  expect(screen.queryByRole("menuitem", { name: "Copy as text" })).toBeNull()
  expect(screen.queryByRole("menuitemcheckbox", { name: "Share" })).toBeNull()
})

test("filling the window is no option on a phone, whose cards are as long as the page", async () => {
  setScreenWidth(390)
  const { user } = await show(table())

  await user.click(options())

  expect(await screen.findByRole("menuitem", { name: "Copy as text" })).toBeVisible()
  expect(screen.queryByText("Fill the window")).toBeNull()
})
