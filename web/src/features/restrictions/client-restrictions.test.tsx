import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { restriction } from "@/testing/models"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { ClientRestrictions } from "./client-restrictions"
import type { Restriction } from "./queries"

const path = "/admin/clients/client/:id/restrictions"
const range = restriction({
  tradingSymbol: "ITC",
  instrumentToken: 2,
  kind: "RANGE",
  minimumPercentage: 2,
  maximumPercentage: 8,
  reason: "",
})
const put = (restrictions: object[]) => ({ version: 3, restrictions })
const bodyOf = ({ isin: _isin, name: _name, ...rest }: Restriction) => rest

beforeEach(() => {
  session.start("token-of-the-test", "ADMIN")
  session.set("clientId", "id-1")
  answer("get", path, { version: 3, restrictions: [restriction(), range] })
  answer("get", "/instruments/search", [
    { symbol: "TCS", exchange: "NSE", name: "TCS", isin: "INE467B01029", instrumentToken: 9 },
  ])
})

test("each stands with its kind, its limits and its reason", async () => {
  await show(<ClientRestrictions />)

  expect(await screen.findByRole("row", { name: /INFY/ })).toHaveTextContent(
    "INFY NSELocked--Shares of the employer",
  )
  expect(screen.getByRole("row", { name: /ITC/ })).toHaveTextContent("ITC NSERange2.00%8.00%-")
})

test("a range is added; the server gets the whole list at the state that was seen", async () => {
  const saved = answer("put", path, put([]))
  const { user } = await show(<ClientRestrictions />)
  await screen.findByRole("row", { name: /INFY/ })
  await user.click(screen.getByRole("button", { name: "Add restriction" }))
  const form = within(await screen.findByRole("dialog", { name: "Add restriction" }))

  await user.click(form.getByRole("button", { name: "Save" }))
  expect(form.getByText("Please choose a stock")).toBeVisible()
  await user.type(form.getByLabelText("Stock"), "TCS")
  await user.click(await screen.findByRole("option", { name: /TCS/ }))
  await user.click(form.getByLabelText("Range"))
  await user.type(form.getByLabelText("At least"), "9")
  await user.type(form.getByLabelText("At most"), "4")
  await user.click(form.getByRole("button", { name: "Save" }))
  expect(await form.findByText("The minimum is above the maximum")).toBeVisible()
  expect(saved).toHaveLength(0)
  await user.clear(form.getByLabelText("At least"))
  await user.click(form.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.body).toEqual(
    put([
      bodyOf(restriction()),
      bodyOf(range),
      {
        ...bodyOf(range),
        tradingSymbol: "TCS",
        instrumentToken: 9,
        minimumPercentage: null,
        maximumPercentage: 4,
      },
    ]),
  )
})

test("an edit to another kind forgets the limits of the range", async () => {
  const saved = answer("put", path, put([]))
  const { user } = await show(<ClientRestrictions />)
  await user.choose("Actions for ITC", "Edit")
  const form = within(await screen.findByRole("dialog", { name: "Restriction of ITC" }))

  await user.click(form.getByLabelText("Never buy"))
  await user.click(form.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.body).toEqual(
    put([
      bodyOf(restriction()),
      bodyOf({ ...range, kind: "NEVER_BUY", minimumPercentage: null, maximumPercentage: null }),
    ]),
  )
})

test("one is removed after a question", async () => {
  const saved = answer("put", path, put([]))
  const { user } = await show(<ClientRestrictions />)
  await user.choose("Actions for INFY", "Remove")
  await user.click(await screen.findByRole("button", { name: "Remove" }))

  await waitFor(() => expect(saved[0]?.body).toEqual(put([bodyOf(range)])))
})

test("a USER reads them", async () => {
  session.start("token-of-the-test", "USER")
  await show(<ClientRestrictions />)

  expect(await screen.findByRole("row", { name: /INFY/ })).toBeVisible()
  expect(screen.queryByRole("button", { name: "Add restriction" })).not.toBeInTheDocument()
  expect(screen.queryByRole("button", { name: /^Actions/ })).not.toBeInTheDocument()
})
