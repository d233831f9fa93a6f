import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { driftRow, model, modelRow } from "@/testing/models"
import { answer, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

beforeEach(() => {
  signedIn()
  answer("get", "/admin/models/:id", model())
  answer("get", "/admin/models", [modelRow()], pageOf(1))
  answer("get", "/admin/models/drift", [driftRow()], pageOf(1))
})

describe("the list of models", () => {
  test("shows version, benchmark, subscribers and the worst drift", async () => {
    const { user, router } = await showApp("/home/models", { role: "ADMIN" })
    const row = await screen.findByRole("row", { name: /Large Cap Quality/ })

    expect(row).toHaveTextContent("2 · 10/11/2026")
    expect(row).toHaveTextContent("Nifty 50 TRI")
    await waitFor(() => expect(row).toHaveTextContent("-6.25%"))
    await user.click(within(row).getByText("Large Cap Quality"))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/model-1"))
  })

  test("a model is retired after a question, at the state that was seen", async () => {
    const { user } = await showApp("/home/models", { role: "ADMIN" })
    const put = answer("put", "/admin/models/:id", model({ status: "RETIRED" }))

    await user.choose("Actions for Large Cap Quality", "Retire")
    const question = await screen.findByRole("dialog", { name: "Retire Large Cap Quality?" })
    await user.click(within(question).getByRole("button", { name: "Retire" }))

    await waitFor(() => expect(put[0]?.body).toEqual({ version: 1, status: "RETIRED" }))
  })

  test("a USER reads and changes nothing", async () => {
    signedIn("USER")
    await showApp("/home/models", { role: "USER" })

    await screen.findByRole("row", { name: /Large Cap Quality/ })
    expect(screen.queryByRole("button", { name: "New model" })).not.toBeInTheDocument()
    expect(screen.queryByRole("button", { name: /^Actions for/ })).not.toBeInTheDocument()
  })

  test("a USER has no way to the rebalances of the book", async () => {
    signedIn("USER")
    const { router } = await showApp("/home/models", { role: "USER" })

    const places = within(await screen.findByRole("navigation", { name: "Model portfolios" }))
    expect(places.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "Models",
      "Drift",
      "Calls",
    ])
    await router.navigate({ to: "/home/models/book" })
    expect(router.state.location.pathname).toBe("/home/dashboard")
  })

  test("an ADMIN's editor is closed to a USER", async () => {
    signedIn("USER")
    hang("get", "/admin/dashboard/:part")

    const { router } = await showApp("/home/models/new", { role: "USER" })

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/dashboard"))
  })
})

describe("a model", () => {
  test("shows what its newest version holds and why", async () => {
    await showApp("/home/models/model-1", { role: "ADMIN" })

    expect(await screen.findByRole("row", { name: /INFY/ })).toHaveTextContent("50.00%")
    expect(screen.getByText("Rest in cash:")).toHaveTextContent("10.00%")
    expect(screen.getByText("Software leads.")).toBeVisible()
    expect(screen.getByText(/A published version never changes\./)).toBeVisible()
  })

  test("an older version says that it is one", async () => {
    await showApp("/home/models/model-1?number=1", { role: "ADMIN" })

    expect(await screen.findByRole("row", { name: /HDFCBANK/ })).toHaveTextContent("40.00%")
    expect(screen.getByText(/This is version 1\. Clients follow version 2\./)).toBeVisible()
  })

  test("two versions are compared, stocks and texts", async () => {
    await showApp("/home/models/model-1?tab=history", { role: "ADMIN" })
    const table = await screen.findByRole("region", { name: "Differences, table" })
    const rows = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent)

    expect(rows).toEqual([
      "HDFCBANK NSERemoved40.00%--40.00%",
      "TCS NSEAdded-40.00%+40.00%",
      "INFY NSEReduced60.00%50.00%-10.00%",
    ])
    expect(screen.getByText("Begin with banks.", { selector: "del" })).toBeVisible()
    expect(screen.getByText("Software leads.", { selector: "ins" })).toBeVisible()
  })

  test("that is not there says so", async () => {
    refuse("get", "/admin/models/:id", 404, "Not found")

    await showApp("/home/models/model-9", { role: "ADMIN" })

    expect(await screen.findByText("There is no such model portfolio.")).toBeVisible()
  })
})
