import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { callRow, callsRecord } from "@/testing/track-records"

const path = "/admin/calls/record"

beforeEach(() => signedIn())

const open = (search = "") => showApp(`/home/models/calls${search}`, { role: "ADMIN" })

test("all calls with the share of hits and its interval", async () => {
  answer("get", path, callsRecord())
  await open()

  const hits = await screen.findByRole("group", { name: "Better than the benchmark" })
  expect(hits).toHaveTextContent("66.67%")
  expect(hits).toHaveTextContent("8 of 12, 95% interval 39.06–86.19%")
  expect(screen.getByRole("group", { name: "Calls" })).toHaveTextContent(
    "5 open, 1 without a figure",
  )
  const row = screen.getByRole("row", { name: /TCS/ })
  expect(row).toHaveTextContent("+9.75%")
  expect(row).toHaveTextContent("price 05/10/2026")
  expect(row).toHaveTextContent("last close 20/11/2026")
  expect(row).toHaveTextContent("Hit")
})

test("a call without a figure is a dash with the reason", async () => {
  const reason = "No close is known since the entry."
  const unknown = callRow({ netPercentage: null, whyUnknown: reason, verdict: "UNKNOWN" })
  answer("get", path, callsRecord({ calls: [unknown] }))
  await open()

  expect(await screen.findByTitle(reason)).toHaveTextContent("-")
  expect(screen.getByText("Not known", { selector: "span" })).toBeVisible()
})

test("filters are in the address and go to the server", async () => {
  const calls = answer("get", path, callsRecord())
  const { user, router } = await open()

  await user.click(await screen.findByRole("button", { name: "Closed" }))

  await waitFor(() => expect(calls.at(-1)?.search.get("state")).toBe("CLOSED"))
  expect(router.state.location.search).toEqual({ state: "CLOSED" })
})

test("without a total return index the screen says what to do", async () => {
  const reason = "No benchmark is chosen. Import a total return index and choose it in Settings."
  answer("get", path, callsRecord({ benchmark: null, whyNoBenchmark: reason }))
  await open()

  expect(await screen.findByText(reason)).toBeVisible()
})

test("the export asks for whom it is, and shows why it is refused", async () => {
  answer("get", path, callsRecord())
  const reason = "Past performance may be shown to a person only on request."
  const asked = refuse("get", `${path}/export`, 422, reason)
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Export record" }))
  const dialog = await screen.findByRole("dialog", { name: "Export the record of calls" })
  await user.click(within(dialog).getByLabelText("One person who asked for it"))
  await user.click(within(dialog).getByRole("button", { name: "Export" }))

  expect(await within(dialog).findByRole("alert")).toHaveTextContent(reason)
  expect(asked[0]?.search.get("audience")).toBe("PROSPECT")
})

test("a USER is not offered a file for the firm", async () => {
  signedIn("USER")
  answer("get", path, callsRecord())
  const { user } = await showApp("/home/models/calls", { role: "USER" })

  await user.click(await screen.findByRole("button", { name: "Export record" }))
  const dialog = await screen.findByRole("dialog", { name: "Export the record of calls" })

  expect(within(dialog).queryByLabelText(/its auditor/)).not.toBeInTheDocument()
  expect(within(dialog).getByLabelText("One person who asked for it")).toBeChecked()
})
