import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { run } from "@/testing/book-runs"
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

    await user.click(await screen.findByRole("button", { name: "Actions for Large Cap Quality" }))
    await user.click(await screen.findByRole("menuitem", { name: "Retire" }))
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
    expect(places.getAllByRole("link").map((one) => one.textContent)).toEqual(["Models", "Drift"])
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
    expect(screen.getByText("Cash takes the rest:")).toHaveTextContent("10.00%")
    expect(screen.getByText("Software leads.")).toBeVisible()
    expect(screen.getByText(/A version never changes\./)).toBeVisible()
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
      "HDFCBANK NSEGoes out40.00%--40.00%",
      "TCS NSEComes in-40.00%+40.00%",
      "INFY NSELess60.00%50.00%-10.00%",
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

describe("the drift monitor", () => {
  test("keeps the server's order and says where a price is missing", async () => {
    answer(
      "get",
      "/admin/models/drift",
      [
        driftRow(),
        driftRow({ _id: "id-2", name: "Ravi Iyer", maxDrift: null, priceMissing: ["XYZ"] }),
      ],
      pageOf(2),
    )
    await showApp("/home/models/drift", { role: "USER" })
    const [, first, second] = await screen.findAllByRole("row")

    expect(first).toHaveTextContent("-6.25%TCS")
    expect(within(first!).getByRole("img", { name: "6.25% below target" })).toBeInTheDocument()
    expect(second).toHaveTextContent("No price: XYZ")
  })

  test("is filtered by model, in the address too", async () => {
    const calls = answer("get", "/admin/models/drift", [driftRow()], pageOf(1))
    const { user, router } = await showApp("/home/models/drift", { role: "ADMIN" })
    await screen.findByRole("option", { name: "Large Cap Quality" })

    await user.selectOptions(screen.getByLabelText("Model"), "Large Cap Quality")

    await waitFor(() => expect(calls.at(-1)?.search.get("modelId")).toBe("model-1"))
    expect(router.state.location.search).toMatchObject({ model: "model-1" })
  })
})

describe("a new rebalance", () => {
  const open = async (search = "?start=true") => {
    answer("get", "/admin/book-runs", [run()], pageOf(1))
    answer("get", "/admin/book-limits", {
      holdingsDays: 1,
      priceMinutes: 30,
      tolerancePercentage: 0.5,
      version: 4,
    })
    return showApp(`/home/models/book${search}`, { role: "ADMIN" })
  }

  test("wants a model, and opens the run that the server began", async () => {
    const { user, router } = await open()
    const begun = answer("post", "/admin/book-runs", run({ state: "COMPUTING" }))
    answer("get", "/admin/book-runs/:id", run())
    answer("get", "/admin/book-runs/:id/clients", [], pageOf(0))
    const dialog = within(await screen.findByRole("dialog", { name: "Rebalance the book" }))
    await user.click(dialog.getByRole("button", { name: "Compute" }))
    expect(dialog.getByText("Please choose a model")).toBeVisible()

    await user.selectOptions(dialog.getByLabelText("Model"), "Large Cap Quality")
    expect(dialog.getByText(/^3 clients follow it/)).toBeVisible()
    await user.type(dialog.getByLabelText(/^Leave clients alone/), "1.5")
    await user.click(dialog.getByLabelText("Sell it"))
    await user.click(dialog.getByRole("button", { name: "Compute" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/book/run-1"))
    expect(begun[0]?.body).toEqual({
      modelId: "model-1",
      outside: "SELL",
      tolerancePercentage: 1.5,
    })
    expect(begun[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  })

  test("takes the options of the plans; what is not set stays the firm's", async () => {
    const { user } = await open()
    const begun = answer("post", "/admin/book-runs", run({ state: "COMPUTING" }))
    answer("get", "/admin/book-runs/:id", run())
    answer("get", "/admin/book-runs/:id/clients", [], pageOf(0))
    const dialog = within(await screen.findByRole("dialog", { name: "Rebalance the book" }))
    await user.selectOptions(dialog.getByLabelText("Model"), "Large Cap Quality")
    await user.fill(dialog.getByLabelText("Leave alone a drift below"), "0.25")
    await user.fill(dialog.getByLabelText("Leave out trades under"), "1000")
    await user.selectOptions(dialog.getByLabelText("Allow fresh funds"), "No")
    await user.clear(dialog.getByLabelText("Leave alone a drift below"))

    await user.click(dialog.getByRole("button", { name: "Compute" }))

    await waitFor(() => expect(begun).toHaveLength(1))
    expect(begun[0]?.body).toEqual({
      modelId: "model-1",
      outside: "KEEP",
      options: { minimumTradeValue: 1000, allowFreshFunds: false },
    })
  })

  test("the limits are changed at the state that was seen", async () => {
    const { user } = await open("")
    const put = answer("put", "/admin/book-limits", {})
    await user.click(await screen.findByRole("button", { name: "Limits" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Limits" }))

    await user.clear(await dialog.findByLabelText("Prices at most, in minutes"))
    await user.type(dialog.getByLabelText("Prices at most, in minutes"), "0{Enter}")
    expect(await dialog.findByText("1 to 1440 minutes")).toBeVisible()
    await user.type(dialog.getByLabelText("Prices at most, in minutes"), "{Backspace}15{Enter}")

    await waitFor(() =>
      expect(put[0]?.body).toEqual({
        holdingsDays: 1,
        priceMinutes: 15,
        tolerancePercentage: 0.5,
        version: 4,
      }),
    )
  })
})
