import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { chooseAsha, feeStats, openClientFees, openFees, twoClients } from "@/testing/fee-screens"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const card = (name: string) => screen.getByRole("group", { name })

test("a firm without fees sees where to add them", async () => {
  await openFees("", [])

  expect(await screen.findByText("No Data Available")).toBeVisible()
  expect(screen.getByText("Fees are added in a client's Fees tab.")).toBeVisible()
})

test("filters that find nothing say so and can be cleared", async () => {
  const { calls, user } = await openFees("?query=zz&from=2026-06-01&to=2026-06-30", [])

  expect(await screen.findByText("No client with fees matches “zz” in these days.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("query")).toBe(""))
  expect(calls.at(-1)!.search.has("from")).toBe(false)
})

test("while the fees load, the screen says so", async () => {
  signedIn("USER")
  hang("get", "/fees/stats")
  hang("get", "/fees")

  await showApp("/home/fees", { role: "USER" })

  expect(await screen.findByText("Fetching data...")).toBeInTheDocument()
  expect(card("Total Fees")).toBeVisible()
})

test("what fails to load says so, each in its place", async () => {
  signedIn("USER")
  refuse("get", "/fees/stats", 500, "Something went wrong")
  breakOff("get", "/fees")

  await showApp("/home/fees", { role: "USER" })

  await waitFor(() => expect(screen.getAllByText("Failed to fetch data")).toHaveLength(2))
  expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(2)
})

test("a session that is over goes to the login", async () => {
  signedIn("USER")
  answer("get", "/fees/stats", feeStats)
  refuse("get", "/fees", 401, "Session expired. Please log in again.")

  const { router } = await showApp("/home/fees", { role: "USER" })

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
})

test("G F goes to the fees", async () => {
  chooseAsha()
  const { user, router } = await openClientFees()
  answer("get", "/fees/stats", feeStats)
  answer("get", "/fees", twoClients, pageOf(2, 5))

  await user.keyboard("gf")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/fees"))
})

test("on a phone a row is a card, and the limit's arithmetic opens with a tap", async () => {
  setScreenWidth(390)
  const { user } = await openFees()

  expect(await screen.findByText("Ravi Iyer")).toBeVisible()
  expect(screen.queryByRole("table")).toBeNull()
  await user.click(screen.getByRole("button", { name: "Show details of Ravi Iyer" }))

  const details = screen.getByText("Yearly limit").closest("div")!
  expect(details).toHaveTextContent("₹9,000.00 over")
})
