import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { run } from "@/testing/book-runs"
import { driftRow, model, modelRow } from "@/testing/models"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

beforeEach(() => {
  signedIn()
  answer("get", "/admin/models/:id", model())
  answer("get", "/admin/models", [modelRow()], pageOf(1))
  answer("get", "/admin/models/drift", [driftRow()], pageOf(1))
})

describe("the drift monitor", () => {
  test("keeps the server's order and says where a price is missing", async () => {
    answer(
      "get",
      "/admin/models/drift",
      [
        driftRow(),
        driftRow({
          _id: "id-2",
          name: "Ravi Iyer",
          maxDrift: null,
          priceMissing: ["XYZ"],
          actionPending: true,
        }),
      ],
      pageOf(2),
    )
    await showApp("/home/models/drift", { role: "USER" })
    const [, first, second] = await screen.findAllByRole("row")

    expect(first).toHaveTextContent("-6.25%TCS")
    const bar = "6.25% below target, outside the tolerance of 0.50%"
    expect(within(first!).getByRole("img", { name: bar })).toBeInTheDocument()
    expect(second).toHaveTextContent("No price: XYZ")
    expect(within(second!).getByText("Action pending")).toBeVisible()
    expect(within(first!).queryByText("Action pending")).toBeNull()
  })

  test("is sorted by a figure, in the address too", async () => {
    const calls = answer("get", "/admin/models/drift", [driftRow()], pageOf(1))
    const { user, router } = await showApp("/home/models/drift", { role: "USER" })

    await user.click(await screen.findByRole("button", { name: /Largest Drift, % of Investment/ }))

    await waitFor(() => expect(calls.at(-1)?.search.get("sort")).toBe("maxDrift"))
    expect(router.state.location.search).toMatchObject({ sort: "maxDrift" })
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

  test("needs a model, and opens the run that the server started", async () => {
    const { user, router } = await open()
    const posts = answer("post", "/admin/book-runs", run({ state: "COMPUTING" }))
    answer("get", "/admin/book-runs/:id", run())
    answer("get", "/admin/book-runs/:id/clients", [], pageOf(0))
    const dialog = within(await screen.findByRole("dialog", { name: "Rebalance the book" }))
    await user.click(dialog.getByRole("button", { name: "Compute" }))
    expect(dialog.getByText("Please choose a model")).toBeVisible()

    await user.selectOptions(dialog.getByLabelText("Model"), "Large Cap Quality")
    expect(dialog.getByText(/^3 clients follow it/)).toBeVisible()
    await user.type(dialog.getByLabelText(/^Skip clients/), "1.5")
    await user.click(dialog.getByLabelText("Sell"))
    await user.click(dialog.getByRole("button", { name: "Compute" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/book/run-1"))
    expect(posts[0]?.body).toEqual({
      modelId: "model-1",
      outside: "SELL",
      tolerancePercentage: 1.5,
    })
    expect(posts[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  })

  test("sends the options that are set; the firm's setting applies to the others", async () => {
    const { user } = await open()
    const posts = answer("post", "/admin/book-runs", run({ state: "COMPUTING" }))
    answer("get", "/admin/book-runs/:id", run())
    answer("get", "/admin/book-runs/:id/clients", [], pageOf(0))
    const dialog = within(await screen.findByRole("dialog", { name: "Rebalance the book" }))
    await user.selectOptions(dialog.getByLabelText("Model"), "Large Cap Quality")
    await user.fill(dialog.getByLabelText("Ignore drift below"), "0.25")
    await user.fill(dialog.getByLabelText("Skip trades under"), "1000")
    await user.selectOptions(dialog.getByLabelText("Allow fresh funds"), "No")
    await user.clear(dialog.getByLabelText("Ignore drift below"))

    await user.click(dialog.getByRole("button", { name: "Compute" }))

    await waitFor(() => expect(posts).toHaveLength(1))
    expect(posts[0]?.body).toEqual({
      modelId: "model-1",
      outside: "KEEP",
      options: { minimumTradeValue: 1000, allowFreshFunds: false },
    })
  })

  test("the limits are changed at the version that was read", async () => {
    const { user } = await open("")
    const put = answer("put", "/admin/book-limits", {})
    await user.click(await screen.findByRole("button", { name: "Limits" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Limits" }))

    await user.clear(await dialog.findByLabelText("Maximum age of prices (minutes)"))
    await user.type(dialog.getByLabelText("Maximum age of prices (minutes)"), "0{Enter}")
    expect(await dialog.findByText("1 to 1440 minutes")).toBeVisible()
    await user.type(
      dialog.getByLabelText("Maximum age of prices (minutes)"),
      "{Backspace}15{Enter}",
    )

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
