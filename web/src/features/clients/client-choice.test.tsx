import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRow, pageOf } from "@/testing/clients"
import { modelRow } from "@/testing/models"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const two = [
  clientRow(),
  clientRow({ _id: "id-2", clientId: "C0002", name: "Ravi Iyer", isConnected: false }),
]

async function showList() {
  signedIn("ADMIN")
  return showApp("/home/client/details", { role: "ADMIN" })
}

test("model, drift and last advice of the rows are shown, and the sums of all that match", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const calls = answer("get", "/admin/models/followed", [
    {
      _id: "id-1",
      modelId: "model-1",
      modelName: "Large Cap Quality",
      maxDrift: -2.1,
      maxDriftSymbol: "TCS",
      tolerancePercentage: 1.5,
      advisedAt: "2026-11-02T09:50:00Z",
    },
  ])
  answer("get", "/admin/clients/totals", {
    clients: 2,
    totalPortfolio: 9_000_000,
    totalInvestment: null,
    netPnL: 710_000,
    NetCashAmount: 200_000,
  })
  await showList()

  const first = screen.getByRole("row", { name: /C0001/ })
  await waitFor(() =>
    expect(first).toHaveTextContent("Large Cap Quality-2.10% outside the tolerance02/11/2026"),
  )
  expect(calls[0]!.search.getAll("clients")).toEqual(["id-1", "id-2"])
  expect(screen.getByRole("row", { name: /^Total/ })).toHaveTextContent(
    "Total₹90,00,000.00-₹7,10,000.00",
  )
})

test("chosen clients follow a model, get a link, and are exported", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  answer("get", "/admin/models", [modelRow()], pageOf(1))
  const followed = answer("put", "/admin/models/:id/subscribers", modelRow())
  const links = answer("post", "/admin/readiness/send-links", { sent: 1 }, { message: "1 link" })
  const files = refuse("get", "/admin/clients/export", 503, "Busy, try again")
  const { user } = await showList()
  await user.click(await screen.findByRole("checkbox", { name: "Choose Asha Rao" }))
  expect(screen.getByText("1 chosen")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Choose all on this page" }))
  expect(screen.getByText("2 chosen")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Send 1 connect link" }))
  await waitFor(() => expect(links.at(-1)?.body).toEqual({ clientIds: ["id-2"] }))
  await user.click(screen.getByRole("button", { name: "Export" }))
  await waitFor(() => expect(files.at(-1)?.search.getAll("clients")).toEqual(["id-1", "id-2"]))

  await user.click(screen.getByRole("button", { name: "Follow a model" }))
  const dialog = await screen.findByRole("dialog", { name: "Let 2 clients follow a model" })
  await user.click(within(dialog).getByRole("button", { name: "Follow" }))
  expect(await within(dialog).findByText("A model is required")).toBeVisible()
  await user.selectOptions(within(dialog).getByLabelText("Model"), "Large Cap Quality")
  await user.click(within(dialog).getByRole("button", { name: "Follow" }))

  await waitFor(() =>
    expect(followed.at(-1)?.body).toEqual({
      add: [
        { clientId: "id-1", investmentValue: null },
        { clientId: "id-2", investmentValue: null },
      ],
      remove: [],
    }),
  )
  await waitFor(() => expect(screen.queryByText("2 chosen")).toBeNull())
})
