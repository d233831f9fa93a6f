import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { boardAnswered, followUpRow } from "@/testing/follow-up"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"

async function open(search = "", role: "ADMIN" | "USER" = "ADMIN") {
  boardAnswered([followUpRow(), followUpRow({ _id: "advice-2", name: "Ravi Iyer" })], role)
  const shown = await showApp(`/home/follow-up${search}`, { role })
  await screen.findByRole("row", { name: /Asha Rao/ })
  return shown
}

test("a USER sees the board, without drafts and links", async () => {
  const { user } = await open("", "USER")

  expect(screen.queryByRole("button", { name: "Draft for all shown" })).toBeNull()
  await user.click(screen.getByRole("button", { name: "Actions for Asha Rao" }))
  const entries = await screen.findAllByRole("menuitem")
  expect(entries.map((entry) => entry.textContent)).toEqual(["View details", "Open advice history"])
})

describe("drafts", () => {
  test("one advice goes to the form, with the advice of which something is left", async () => {
    answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })
    answer("get", "/brokers", [])
    refuse("get", "/admin/advice/clients/by-code/:code/holdings", 404, "No holdings found.")
    const { user, router } = await open()

    await user.choose("Actions for Asha Rao", "Draft follow-up")

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
    expect(router.state.location.state).toMatchObject({
      username: "C0001",
      followUpOf: "advice-1",
    })
  })

  test("an advice of which nothing is left has no draft", async () => {
    boardAnswered([followUpRow({ state: "ACTED" })])
    const { user } = await showApp("/home/follow-up", { role: "ADMIN" })
    await user.click(await screen.findByRole("button", { name: "Actions for Asha Rao" }))

    expect(await screen.findByRole("menuitem", { name: "Draft follow-up" })).toHaveAttribute(
      "data-disabled",
      "true",
    )
  })

  const run = { _id: "run-1", modelId: "model-1", modelName: "Large Cap Quality", clients: 2 }

  test("all that is shown becomes a rebalance of the book, which opens", async () => {
    const sent = answer("post", "/admin/follow-up/run", { runs: [run], leftOut: [] })
    refuse("get", "/admin/book-runs/run-1", 404, "Run not found")
    const { user, router } = await open("?state=PART")

    await user.click(screen.getByRole("button", { name: "Draft for all shown" }))
    expect(await screen.findByText("Draft follow-ups for 2 advices?")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Draft" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/models/book/run-1"))
    expect(sent[0]?.body).toEqual({ filter: { query: "", state: "PART" } })
    expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  })

  test("several rebalances and clients left out are listed, with the reason", async () => {
    const leftOut = [
      {
        userId: "id-9",
        clientId: "C0009",
        name: "Meera Shah",
        reason: "The client is not active.",
      },
    ]
    const other = { ...run, _id: "run-2", modelName: "Mid Cap Growth", clients: 1 }
    answer("post", "/admin/follow-up/run", { runs: [run, other], leftOut })
    const { user } = await open()

    await user.click(screen.getByRole("button", { name: "Draft for all shown" }))
    await user.click(await screen.findByRole("button", { name: "Draft" }))

    const dialog = await screen.findByRole("dialog", { name: "Follow-ups" })
    const runs = within(dialog).getByRole("list", { name: "Rebalances started" })
    expect(runs).toHaveTextContent("Large Cap Quality2 clientsMid Cap Growth1 client")
    expect(within(dialog).getByText("1 client left out")).toBeVisible()
    expect(within(dialog).getByText("The client is not active.")).toBeVisible()
  })

  test("a refusal is said", async () => {
    refuse("post", "/admin/follow-up/run", 409, "Another rebalance is being computed.")
    const { user } = await open()
    await user.click(screen.getByRole("button", { name: "Draft for all shown" }))
    await user.click(await screen.findByRole("button", { name: "Draft" }))

    await waitFor(() => expect(toastMessages()).toEqual(["Another rebalance is being computed."]))
  })
})

describe("the client's link", () => {
  const link = {
    url: "https://tarazu.example/a/token-of-the-link",
    expiresAt: "2026-12-03T18:30:00Z",
  }
  beforeEach(() =>
    answer("get", "/admin/clients/client/id-1/profile", {
      countryCode: "+91",
      contactNumber: "9012708438",
    }),
  )

  async function make() {
    const made = answer("post", "/admin/advice/advice-1/link", link)
    const shown = await open()
    await shown.user.choose("Actions for Asha Rao", "Copy client link")
    const dialog = await screen.findByRole("dialog", { name: "Client link: Asha Rao" })
    await shown.user.click(within(dialog).getByRole("button", { name: "Create and copy link" }))
    await within(dialog).findByDisplayValue(link.url)
    return { made, dialog: within(dialog), ...shown }
  }

  test("is made after a warning, copied and shown with its end", async () => {
    const { dialog, made } = await make()

    expect(await navigator.clipboard.readText()).toBe(link.url)
    expect(made[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
    expect(dialog.getByText(/Works until 04\/12\/2026 00:00 IST/)).toBeVisible()
    expect(toastMessages()).toEqual(["Link copied"])
  })

  test("opens WhatsApp and Telegram with the firm's name and number and the link, no stocks", async () => {
    const { dialog, user } = await make()

    const whatsApp = await dialog.findByRole("link", { name: "WhatsApp" })
    await waitFor(() =>
      expect(new URL(whatsApp.getAttribute("href")!).pathname).toBe("/919012708438"),
    )
    expect(new URL(whatsApp.getAttribute("href")!).searchParams.get("text")).toBe(
      `Meridian Research, SEBI registration number INH000012345. Your advice is here: ${link.url}`,
    )
    const telegram = new URL(dialog.getByRole("link", { name: "Telegram" }).getAttribute("href")!)
    expect(`${telegram.origin}${telegram.pathname}`).toBe("https://t.me/share/url")
    expect(telegram.searchParams.get("url")).toBe(link.url)
    expect(telegram.searchParams.get("text")).toMatch(
      /^Meridian Research, SEBI registration number INH/,
    )
    expect(whatsApp).toHaveAttribute("rel", "noopener noreferrer")

    const noted = answer("post", "/admin/advice/advice-1/link/handed-over", null)
    await user.click(whatsApp)
    await waitFor(() => expect(noted[0]?.body).toEqual({ messenger: "WHATSAPP" }))
  })

  test("is not made when the server refuses", async () => {
    refuse("post", "/admin/advice/advice-1/link", 409, "This advice was not sealed.")
    const { user } = await open()
    await user.choose("Actions for Asha Rao", "Copy client link")
    await user.click(await screen.findByRole("button", { name: "Create and copy link" }))

    await waitFor(() => expect(toastMessages()).toEqual(["This advice was not sealed."]))
  })

  test("is ended once that is confirmed", async () => {
    const ended = answer("delete", "/admin/advice/advice-1/link", null, { message: "Link ended" })
    const { user } = await open()
    await user.choose("Actions for Asha Rao", "End link")
    expect(await screen.findByText("End Asha Rao’s link?")).toBeVisible()
    expect(ended).toHaveLength(0)

    await user.click(screen.getByRole("button", { name: "End link" }))

    await waitFor(() => expect(toastMessages()).toEqual(["Link ended"]))
    expect(ended).toHaveLength(1)
  })
})
