import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, test, vi } from "vitest"
import { percent, rupees } from "@/lib/format"
import { watchDownloads } from "@/testing/downloads"
import { setScreenWidth } from "@/testing/screen-width"
import { show } from "@/testing/show"
import { Card, Toolbar } from "@/ui/card"
import { type Column, type Download, Table } from "./table"
import type { TableProps } from "./table-types"
import { toasts } from "@/ui/overlay/toast"

interface Client {
  name: string
  value: number
  share: number
  city: string
}

const rows: Client[] = [
  { name: "Asha Rao", value: 3833868.21, share: 12.5, city: "Pune" },
  { name: '=cmd|"x"', value: -1058.5, share: 3, city: "Surat\tEast" },
]
const columns: Column<Client>[] = [
  {
    title: "Name",
    cell: (client) => (
      <>
        <strong>{client.name}</strong>
        <span className="sr-only">unseen</span>
      </>
    ),
    card: "title",
  },
  { title: "Value", cell: (client) => rupees(client.value), align: "right", card: "main" },
  { title: "Share", cell: (client) => percent(client.share), align: "right", card: "rest" },
  { title: "City", cell: (client) => <em>{client.city}</em>, card: "rest" },
  { title: "Letter", cell: () => <button type="button" aria-label="Open" />, card: "rest" },
]

const table = (more: Partial<TableProps<Client>> = {}) => (
  <Table
    label="Clients"
    name="test"
    columns={columns}
    rows={rows}
    rowKey={(client) => client.name}
    totals={{ Value: rupees(3832809.71) }}
    empty={{ title: "No Data Available" }}
    {...more}
  />
)

const heads = () => screen.getAllByRole("columnheader").map((head) => head.textContent)
const options = () => screen.getByRole("button", { name: "Table options: Clients" })

function watchClipboard() {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue(undefined)
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as never)
  return writeText
}

const copied = [
  "Name\tValue\tShare\tCity",
  "Asha Rao\t₹38,33,868.21\t12.50%\tPune",
  '\'=cmd|"x"\t-₹1,058.50\t3.00%\tSurat East',
  "Total\t₹38,32,809.71\t\t",
].join("\n")

afterEach(() => vi.restoreAllMocks())

test("a table without a name has no options", async () => {
  await show(table({ name: undefined }))

  expect(screen.queryByRole("button", { name: /Table options/ })).not.toBeInTheDocument()
})

describe("columns", () => {
  test("one is hidden and shown again; the choice is remembered; what a row is called stays", async () => {
    const { user, unmount } = await show(table())
    await user.click(options())
    const menu = await screen.findByRole("menu")
    expect(within(menu).queryByRole("menuitemcheckbox", { name: "Name" })).toBeNull()

    await user.click(within(menu).getByRole("menuitemcheckbox", { name: "Share" }))

    expect(heads()).toEqual(["Name", "Value", "City", "Letter"])
    expect(within(menu).getByRole("menuitemcheckbox", { name: "Share" })).not.toBeChecked()
    unmount()
    const again = await show(table())
    expect(heads()).toEqual(["Name", "Value", "City", "Letter"])
    await again.user.click(options())
    await again.user.click(await screen.findByRole("menuitemcheckbox", { name: "Share" }))
    expect(heads()).toEqual(["Name", "Value", "Share", "City", "Letter"])
    expect(localStorage.getItem("tarazu.columns.test")).toBeNull()
  })

  test("a set hides its columns, All shows them again, a custom choice is no set", async () => {
    const { user } = await show(table({ columnSets: { Basic: ["Share", "Letter"] } }))
    await user.click(options())
    expect(await screen.findByRole("menuitemradio", { name: "All" })).toBeChecked()

    await user.click(screen.getByRole("menuitemradio", { name: "Basic" }))
    expect(heads()).toEqual(["Name", "Value", "City"])
    expect(screen.getByRole("menuitemradio", { name: "Basic" })).toBeChecked()

    await user.click(screen.getByRole("menuitemcheckbox", { name: "City" }))
    expect(screen.queryByRole("menuitemradio", { checked: true })).toBeNull()

    await user.click(screen.getByRole("menuitemradio", { name: "All" }))
    expect(heads()).toHaveLength(5)
  })

  test("a stored value of another shape is ignored", async () => {
    localStorage.setItem("tarazu.columns.test", '{"Value":true}')

    await show(table())

    expect(heads()).toHaveLength(5)
  })

  test("it works by keyboard, and Escape gives the focus back", async () => {
    const { user } = await show(table())
    options().focus()
    await user.keyboard("{Enter}")
    await screen.findByRole("menu")

    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}")

    await waitFor(() => expect(heads()).toHaveLength(4))
    await user.keyboard("{Escape}")
    expect(options()).toHaveFocus()
  })
})

describe("copy as text", () => {
  test("copies what is shown, tab separated, with totals; a formula gets an apostrophe", async () => {
    const { user } = await show(table())
    const writeText = watchClipboard()

    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Copy as text" }))

    await waitFor(() => expect(writeText).toHaveBeenCalledWith(copied))
    expect(toasts.get().at(-1)?.message).toBe("Table copied")
  })

  test("on a phone, too", async () => {
    setScreenWidth(390)
    const { user } = await show(table())
    const writeText = watchClipboard()

    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Copy as text" }))

    await waitFor(() => expect(writeText).toHaveBeenCalledWith(copied))
    expect(screen.queryByRole("table", { hidden: true })).not.toBeInTheDocument()
  })

  test("there is nothing to copy in an empty table", async () => {
    const { user } = await show(table({ rows: [] }))

    await user.click(options())

    const copy = await screen.findByRole("menuitem", { name: "Copy as text" })
    expect(copy).toBeDisabled()
  })

  test("a blocked clipboard shows an error", async () => {
    const { user } = await show(table())
    watchClipboard().mockRejectedValue(new Error("denied"))

    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Copy as text" }))

    await waitFor(() => expect(toasts.get().at(-1)?.message).toBe("The table could not be copied"))
  })
})

describe("files", () => {
  test("either format is fetched and saved under the server's name, busy meanwhile", async () => {
    const saved = watchDownloads()
    let finish: () => void = () => undefined
    const download = vi.fn<Download>(
      (format) =>
        new Promise((resolve) => {
          finish = () => resolve({ content: new Blob(["x"]), name: `clients.${format}` })
        }),
    )
    const { user } = await show(table({ download }))
    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Download CSV" }))

    expect(options()).toHaveAttribute("aria-busy", "true")
    expect(screen.getByText("Creating the file")).toBeInTheDocument()
    finish()
    await waitFor(() => expect(options()).toHaveAttribute("aria-busy", "false"))
    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Download Excel" }))
    finish()

    await waitFor(() => expect(saved).toEqual(["clients.csv", "clients.xlsx"]))
    expect(download.mock.calls).toEqual([["csv"], ["xlsx"]])
  })

  test("a refusal shows the server's message", async () => {
    const saved = watchDownloads()
    const download: Download = () => Promise.reject(new Error("More than 20,000 rows match."))
    const { user } = await show(table({ download }))

    await user.click(options())
    await user.click(await screen.findByRole("menuitem", { name: "Download CSV" }))

    await waitFor(() => expect(toasts.get().at(-1)?.message).toBe("More than 20,000 rows match."))
    expect(saved).toEqual([])
    expect(options()).toHaveAttribute("aria-busy", "false")
  })
})

test("the button is in the card's toolbar, else in its head", async () => {
  await show(
    <>
      <Card title="One">{table()}</Card>
      <Card title="Two">
        <Toolbar>
          <span data-testid="tools">tools</span>
        </Toolbar>
        {table({ label: "Others" })}
      </Card>
    </>,
  )

  expect(options().closest("section")).toHaveTextContent(/^One/)
  expect(options().closest("div")?.className).toContain("actions")
  const other = screen.getByRole("button", { name: "Table options: Others" })
  expect(other.closest("div")).toContainElement(screen.getByTestId("tools"))
})
