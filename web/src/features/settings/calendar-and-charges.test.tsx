import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, describe, test } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { ChargeVersion } from "./queries"

const line = (charge: string, change: Partial<ChargeVersion["lines"][number]> = {}) => ({
  effectiveOn: "2024-10-01",
  broker: "ANY",
  exchange: "ANY",
  side: "ANY",
  charge,
  rate: 18,
  unit: "percent",
  source: "angelone.in",
  ...change,
})
const shipped: ChargeVersion = {
  _id: null,
  effectiveOn: "2024-10-01",
  source: "Comes with Tarazu",
  isInForce: true,
  createdAt: null,
  lines: [
    line("gst"),
    line("exchange", { exchange: "NSE", rate: 0.00297 }),
    line("depository", { broker: "ZERODHA", side: "SELL", rate: 13, unit: "rupees" }),
  ],
}

beforeEach(() => signedIn())

const open = (section: string) => showApp(`/home/settings?section=${section}`, { role: "ADMIN" })

describe("the holidays", () => {
  const past = { date: "2020-01-26", name: "Republic Day" }
  const future = { date: "2199-12-25", name: "Christmas" }

  test("are listed by year with their weekday; those that have passed stay", async () => {
    const calls = answer("get", "/settings/holidays", [past, future])
    const { user } = await open("holidays")

    expect(await screen.findByText("26/01/2020")).toBeVisible()
    expect(screen.getByText("Sunday")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Remove Republic Day" })).toBeNull()
    expect(screen.getByRole("button", { name: "Remove Christmas" })).toBeVisible()
    const year = Number(calls[0]?.search.get("year"))
    await user.selectOptions(screen.getByLabelText("Year"), String(year + 1))

    await waitFor(() => expect(calls.at(-1)?.search.get("year")).toBe(String(year + 1)))
  })

  test("are added", async () => {
    answer("get", "/settings/holidays", [])
    const sent = answer("put", "/settings/holidays", null, { message: "Holidays saved" })
    const { user } = await open("holidays")
    expect(await screen.findByText("No Data Available")).toBeVisible()

    await user.click(screen.getByRole("button", { name: "Add holiday" }))
    expect(screen.getByText("Please select a valid date")).toBeVisible()
    expect(screen.getByText("Name is required")).toBeVisible()
    await user.fill(screen.getByLabelText("Date"), "2027-03-22")
    await user.fill(screen.getByLabelText("Holiday"), "Holi")
    await user.click(screen.getByRole("button", { name: "Add holiday" }))

    expect(await screen.findByText("Holi added")).toBeVisible()
    expect(sent[0]?.body).toEqual({
      holidays: [{ date: "2027-03-22", name: "Holi" }],
      removed: [],
    })
    expect(screen.getByLabelText("Holiday")).toHaveValue("")
    expect(screen.getByLabelText("Year")).toHaveValue("2027")
  })

  test("are removed, and restored by Undo", async () => {
    answer("get", "/settings/holidays", [future])
    const sent = answer("put", "/settings/holidays", null, { message: "Holidays saved" })
    const { user } = await open("holidays")

    await user.click(await screen.findByRole("button", { name: "Remove Christmas" }))
    expect(await screen.findByText("Christmas removed")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Undo" }))

    await waitFor(() =>
      expect(sent.map((call) => call.body)).toEqual([
        { holidays: [], removed: ["2199-12-25"] },
        { holidays: [future], removed: [] },
      ]),
    )
  })

  test("that the server refuses say why", async () => {
    answer("get", "/settings/holidays", [future])
    const words = "A holiday that has passed is kept: figures were computed with it."
    refuse("put", "/settings/holidays", 422, words)
    const { user } = await open("holidays")

    await user.click(await screen.findByRole("button", { name: "Remove Christmas" }))

    expect(await screen.findByText(words)).toBeVisible()
  })

  test("say that they load, and can be loaded again after a failure", () =>
    expectFetchStates("/settings/holidays", {
      open: () => open("holidays"),
      data: [future],
      shows: "Christmas",
    }))
})

describe("the charges", () => {
  const next: ChargeVersion = {
    ...shipped,
    _id: "v2",
    effectiveOn: "2027-04-01",
    source: "Circular 7",
    isInForce: false,
    lines: [line("gst", { rate: 20, source: "Circular 7" })],
  }

  test("in force are shown in words, and other versions can be chosen", async () => {
    answer("get", "/settings/charges", [next, shipped])
    const { user } = await open("charges")

    expect(await screen.findByText("0.00297%")).toBeVisible()
    expect(screen.getByText("₹13.00")).toBeVisible()
    expect(screen.getByText("Zerodha · sales")).toBeVisible()
    expect(screen.getByText("In force")).toBeVisible()
    await user.selectOptions(screen.getByLabelText("Version"), "From 01/04/2027")

    expect(await screen.findByText("20.00%")).toBeVisible()
    expect(screen.queryByText("In force")).toBeNull()
  })

  async function openForm() {
    const { user } = await open("charges")
    await user.click(await screen.findByRole("button", { name: "Add version" }))
    return { user, dialog: within(await screen.findByRole("dialog", { name: "Add version" })) }
  }

  test("begin a new version with the rates in force and a source", async () => {
    answer("get", "/settings/charges", [shipped])
    const sent = answerWith("put", "/settings/charges", { success: true, message: "Charges saved" })
    const { user, dialog } = await openForm()

    await user.click(dialog.getByRole("button", { name: "Save" }))
    expect(dialog.getByText("Please select a valid date")).toBeVisible()
    expect(dialog.getByText("Source is required")).toBeVisible()
    await waitFor(() => expect(dialog.getByLabelText("Effective from")).toHaveFocus())
    await user.fill(dialog.getByLabelText("Effective from"), "2027-04-01")
    await user.fill(dialog.getByLabelText("Source"), "Circular 8")
    const depository = dialog.getByLabelText("Depository charge, Zerodha · sales")
    await user.refill(depository, "15.5")
    await user.click(dialog.getByRole("button", { name: "Save" }))

    expect(await screen.findByText("Charges saved")).toBeVisible()
    expect(sent[0]?.body).toEqual({
      effectiveOn: "2027-04-01",
      source: "Circular 8",
      seenAt: null,
      lines: [
        { broker: "ANY", exchange: "ANY", side: "ANY", charge: "gst", rate: 18 },
        { broker: "ANY", exchange: "NSE", side: "ANY", charge: "exchange", rate: 0.00297 },
        { broker: "ZERODHA", exchange: "ANY", side: "SELL", charge: "depository", rate: 15.5 },
      ],
    })
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  })

  test("of a day that already has charges say which they replace", async () => {
    answer("get", "/settings/charges", [{ ...next, createdAt: "2026-11-02T06:30:00Z" }, shipped])
    const words = "This record was changed by someone else. Reload and try again."
    const sent = refuse("put", "/settings/charges", 409, words)
    const { user, dialog } = await openForm()

    await user.fill(dialog.getByLabelText("Effective from"), "2027-04-01")
    await user.fill(dialog.getByLabelText("Source"), "Circular 9")
    await user.click(dialog.getByRole("button", { name: "Save" }))

    expect(await screen.findByText(words)).toBeVisible()
    expect(sent[0]?.body).toMatchObject({ seenAt: "2026-11-02T06:30:00Z" })
    expect(dialog.getByLabelText("Source")).toHaveValue("Circular 9")
  })
})
