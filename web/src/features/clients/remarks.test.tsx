import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { remark } from "@/testing/clients"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, breakOff, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import { restoreRemarkDrafts } from "./remark-drafts"
import { Remarks } from "./remarks"

const list = "/admin/remarks/client/id-1"
const texts = () => screen.getAllByRole("listitem").map((item) => item.textContent)
const open = () => show(<Remarks clientId="id-1" />)

beforeEach(() => {
  restoreRemarkDrafts()
  signedIn()
})

test("remarks stand newest first, with author and time in India", async () => {
  answer("get", list, [
    remark({ _id: "2", remark: "Two lines\nof text", updatedAt: "2026-11-21T05:00:00Z" }),
    remark({ author: "" }),
  ])

  await open()

  await screen.findByText(/Two lines/)
  expect(texts()).toEqual([
    "Two lines\nof textMeera Nair · 20/11/2026 15:30 IST · edited",
    "Prefers a call after 5 pm20/11/2026 15:30 IST",
  ])
  expect(screen.getByTitle("21/11/2026 10:30 IST")).toHaveTextContent("edited")
})

test("a remark is added with its own idempotency key, and the list is refreshed", async () => {
  answer("get", list, [])
  const posts = answer("post", "/admin/remarks", remark())
  const { user } = await open()
  expect(await screen.findByText("No Data Available")).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Add remark" }))
  expect(screen.getByLabelText("New remark")).toHaveFocus()
  await user.type(screen.getByLabelText("New remark"), "  Prefers a call{Enter}after 5 pm ")
  answer("get", list, [remark()])
  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("Prefers a call after 5 pm")).toBeVisible()
  expect(posts.map((call) => call.body)).toEqual([
    { user: "id-1", remark: "Prefers a call\nafter 5 pm" },
  ])
  expect(posts[0]!.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  expect(screen.queryByLabelText("New remark")).toBeNull()
})

test.each(["Save", "Cancel"])("a blank remark is not saved: %s closes the form", async (button) => {
  answer("get", list, [])
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add remark" }))
  await user.type(screen.getByLabelText("New remark"), "   ")

  await user.click(screen.getByRole("button", { name: button }))

  expect(screen.queryByLabelText("New remark")).toBeNull()
  expect(screen.getByRole("button", { name: "Add remark" })).toBeVisible()
})

test("Ctrl Enter saves and Escape cancels", async () => {
  answer("get", list, [])
  const posts = answer("post", "/admin/remarks", remark())
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add remark" }))
  await user.keyboard("Not this{Escape}")
  expect(screen.queryByLabelText("New remark")).toBeNull()

  await user.click(screen.getByRole("button", { name: "Add remark" }))
  expect(screen.getByLabelText("New remark")).toHaveValue("")
  await user.keyboard("This one{Control>}{Enter}{/Control}")

  await waitFor(() => expect(posts).toHaveLength(1))
  expect(posts[0]!.body).toEqual({ user: "id-1", remark: "This one" })
})

test("a remark is edited in its place, with the version that was read", async () => {
  answer("get", list, [remark({ version: 3 })])
  const puts = answer("put", "/admin/remarks", remark({ remark: "After 6 pm", version: 4 }))
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: /^Edit remark of 20\/11\/2026/ }))
  const field = screen.getByLabelText("Edit remark")
  expect(field).toHaveValue("Prefers a call after 5 pm")
  await user.refill(field, "After 6 pm")
  answer("get", list, [remark({ remark: "After 6 pm", version: 4 })])
  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("After 6 pm")).toBeVisible()
  expect(puts[0]!.body).toEqual({ remarkId: "remark-1", remark: "After 6 pm", version: 3 })
})

test.each([
  ["Cancel", "another text"],
  ["Save", "   "],
  ["Save", "Prefers a call after 5 pm "],
])("%s of “%s” leaves the remark as it was", async (button, text) => {
  answer("get", list, [remark()])
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: /^Edit remark/ }))
  await user.refill(screen.getByLabelText("Edit remark"), text)

  await user.click(screen.getByRole("button", { name: button }))

  expect(screen.getByText("Prefers a call after 5 pm")).toBeVisible()
  expect(screen.queryByLabelText("Edit remark")).toBeNull()
})

test.each([
  [409, "This record was changed by someone else. Reload and try again."],
  [500, ""],
])("a save that fails with %i keeps the text and says why", async (status, message) => {
  const reads = answer("get", list, [remark()])
  refuse("put", "/admin/remarks", status, message)
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: /^Edit remark/ }))
  await user.type(screen.getByLabelText("Edit remark"), "!")

  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toEqual([message || "Something went wrong"]))
  expect(screen.getByLabelText("Edit remark")).toHaveValue("Prefers a call after 5 pm!")
  // What somebody else wrote is read, so that the next save builds on it.
  await waitFor(() => expect(reads.length).toBeGreaterThan(1))
})

test("a new remark that was lost on the way is sent again under the same key", async () => {
  answer("get", list, [])
  const lost = breakOff("post", "/admin/remarks")
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add remark" }))
  await user.fill(screen.getByLabelText("New remark"), "Call back")

  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() =>
    expect(toastMessages()).toEqual(["Network error. Check your connection and try again."]),
  )
  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(lost).toHaveLength(2))
  await user.fill(screen.getByLabelText("New remark"), " on Monday")
  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(lost).toHaveLength(3))

  const keys = lost.map((call) => call.headers.get("Idempotency-Key"))
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  await user.click(screen.getByRole("button", { name: "Cancel" }))
})

test("what is being written outlives the screen, and belongs to its client", async () => {
  answer("get", "/admin/remarks/client/:id", [])
  const { user, unmount } = await open()
  await user.click(await screen.findByRole("button", { name: "Add remark" }))
  await user.fill(screen.getByLabelText("New remark"), "Half a sen")
  unmount()
  // A reload in between.
  restoreRemarkDrafts()

  const other = await show(<Remarks clientId="id-2" />)
  await screen.findByText("No Data Available")
  expect(screen.queryByLabelText("New remark")).toBeNull()
  other.unmount()

  const back = await open()
  expect(await screen.findByLabelText("New remark")).toHaveValue("Half a sen")
  await back.user.click(screen.getByRole("button", { name: "Cancel" }))
  expect(sessionStorage.getItem("tarazu.remarks")).toBeNull()
})

test("while they load it says so, and a failure can be asked again", () =>
  expectFetchStates(list, { open, data: [remark()], shows: "Prefers a call after 5 pm" }))

test("a long text tells how much room is left", async () => {
  answer("get", list, [remark({ remark: "x".repeat(1900) })])
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: /^Edit remark/ }))

  expect(screen.getByText("1,900 of 2,000 characters")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Cancel" }))
})
