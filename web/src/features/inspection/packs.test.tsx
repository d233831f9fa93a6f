import { screen, waitFor, within } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { beforeEach, expect, test } from "vitest"
import { answer, refuse, server } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { type Pack, packFile } from "./queries"

const path = "/admin/inspection-pack"
const pack: Pack = {
  _id: "7",
  kind: "INSPECTION",
  clientCode: "C0001",
  clientName: "Kavya Menon",
  from: "2025-04-01",
  to: "2026-03-31",
  sampleEvery: 1,
  state: "READY",
  done: 12,
  total: 12,
  error: "",
  sha256: "ab".repeat(32),
  size: 6,
  madeAt: "2026-11-26T06:30:00Z",
  madeBy: "Ananya Kulkarni",
  finishedAt: "2026-11-26T06:30:05Z",
}

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

const listed = (packs: Pack[]) =>
  answer("get", path, packs, {
    pagination: { currentPage: 1, totalPages: 1, totalUsers: packs.length, limit: 20 },
  })
const open = () => showApp("/home/compliance/packs", { role: "ADMIN" })

test("the list says of whom, of which days, who made it and when, with its SHA-256", async () => {
  listed([pack])
  await open()

  const row = await screen.findByRole("row", { name: /Inspection: C0001 Kavya Menon/ })
  expect(row).toHaveTextContent("01/04/2025 – 31/03/2026")
  expect(row).toHaveTextContent("26/11/2026 12:00 IST")
  expect(row).toHaveTextContent("by Ananya Kulkarni")
  expect(row).toHaveTextContent(pack.sha256)
})

test("a pack that is being made says how far it is, and one that failed says why", async () => {
  const making = { ...pack, _id: "8", state: "MAKING", sha256: "", size: 0, done: 3 } as const
  const failed = {
    ...pack,
    _id: "9",
    state: "FAILED",
    error: "The disk is full.",
    size: 0,
  } as const
  listed([making, failed])
  await open()

  expect(await screen.findByText("3 of 12 advices")).toBeVisible()
  expect(screen.getByText("The disk is full.")).toBeVisible()
  expect(screen.queryByRole("button", { name: /Download/ })).toBeNull()
})

test("a pack of one client is asked for with a preset", async () => {
  listed([])
  const asked = answer("post", path, pack)
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Make a pack" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Make a pack" }))
  await user.click(dialog.getByRole("radio", { name: "One client" }))
  await user.click(dialog.getByRole("button", { name: "Last fiscal year" }))
  await user.click(dialog.getByRole("button", { name: "Make the pack" }))
  expect(dialog.getByRole("alert")).toHaveTextContent("Choose the client.")
  await user.fill(dialog.getByLabelText("Client code"), "C0001")
  await user.click(dialog.getByRole("button", { name: "Make the pack" }))

  await waitFor(() =>
    expect(asked[0]?.body).toMatchObject({
      kind: "INSPECTION",
      clientCode: "C0001",
      from: expect.stringMatching(/-04-01$/) as string,
      to: expect.stringMatching(/-03-31$/) as string,
    }),
  )
  expect(await screen.findByText("The pack is being made")).toBeVisible()
})

test("a pack for the audit has a fiscal year and a sample", async () => {
  listed([])
  const asked = answer("post", path, pack)
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Make a pack" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Make a pack" }))
  await user.click(dialog.getByRole("radio", { name: /Annual audit/ }))
  await user.refill(dialog.getByLabelText(/Sample of sealed advice/), "0")
  await user.click(dialog.getByRole("button", { name: "Make the pack" }))
  expect(dialog.getByRole("alert")).toHaveTextContent("Enter a whole number from 1 to 1,000.")
  await user.refill(dialog.getByLabelText(/Sample of sealed advice/), "5")
  await user.click(dialog.getByRole("button", { name: "Make the pack" }))

  await waitFor(() => expect(asked[0]?.body).toMatchObject({ kind: "AUDIT", sampleEvery: 5 }))
})

test("what the server refuses is said in the dialog", async () => {
  listed([])
  refuse("post", path, 409, "This pack is being made already. Wait until it is ready.")
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Make a pack" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Make a pack" }))
  await user.click(dialog.getByRole("button", { name: "Make the pack" }))

  expect(await dialog.findByText(/is being made already/)).toBeVisible()
})

test("a download goes on with the part that is missing when the network fails", async () => {
  const content = "0123456789"
  const asked: string[] = []
  let isDown = true
  server.use(
    http.get(`*/api/v1${path}/7/file`, ({ request }) => {
      const range = request.headers.get("Range") ?? ""
      asked.push(range)
      const [first = 0, last = 0] = range.replace("bytes=", "").split("-").map(Number)
      if (first === 4 && isDown) {
        isDown = false
        return HttpResponse.error()
      }
      const headers = { "Content-Disposition": 'attachment; filename="pack.zip"' }
      return new HttpResponse(content.slice(first, last + 1), { status: 206, headers })
    }),
  )
  const shares: number[] = []

  const file = await packFile({ ...pack, size: 10 }, (share) => shares.push(share), 4)

  expect(await file.content.text()).toBe(content)
  expect(file.name).toBe("pack.zip")
  expect(asked).toEqual(["bytes=0-3", "bytes=4-7", "bytes=4-7", "bytes=8-9"])
  expect(shares).toEqual([0.4, 0.8, 1])
})
