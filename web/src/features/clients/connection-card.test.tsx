import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { awaiting, connected, connection } from "@/testing/connections"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"
import { ConnectionCard } from "./connection-card"

const root = "/admin/clients/client/id-1"

beforeEach(() => {
  toasts.set([])
  signedIn()
})

async function showCard(clientConnection: ReturnType<typeof connection>) {
  answer("get", `${root}/connection`, clientConnection)
  const shown = await show(<ConnectionCard clientId="id-1" name="Asha Rao" />)
  const card = await screen.findByRole("region", { name: "Broker connection" })
  await within(card).findByRole("button", { name: "More about the connection" })
  return { ...shown, card }
}

const openMore = async (user: Awaited<ReturnType<typeof showCard>>["user"]) => {
  await user.click(screen.getByRole("button", { name: "More about the connection" }))
  return within(await screen.findByRole("menu"))
}

test("a connected client shows the broker, the ID, since and until when", async () => {
  const { card, user } = await showCard(connected())

  expect(card).toHaveTextContent("Login")
  for (const words of ["Zerodha", "AB1234", "20/11/2026 09:30 IST", "21/11/2026 06:00 IST"])
    expect(within(card).getByText(words)).toBeVisible()
  expect(within(card).getByText("Meera Nair")).toBeVisible()
  expect(within(card).queryByRole("button", { name: "Send connect link" })).toBeNull()
  const menu = await openMore(user)
  expect(menu.getAllByRole("menuitem").map((each) => each.textContent)).toEqual([
    "Copy a link",
    "End session",
    "Forget ID",
  ])
})

test("an ID that the broker told is confirmed by staff", async () => {
  const { card, user } = await showCard(awaiting())
  const sent = answer("post", `${root}/connection/confirm`, connected(), {
    message: "Broker ID confirmed",
  })

  expect(card).toHaveTextContent("Is AB1234 the ID of Asha Rao at Zerodha?")
  expect(card).toHaveTextContent("Nothing is read before you confirm it.")
  answer("get", `${root}/connection`, connected())
  await user.click(within(card).getByRole("button", { name: "Confirm" }))

  await within(card).findByText("Login")
  expect(sent[0]?.body).toEqual({ sessionId: "session-1" })
  expect(toastMessages()).toEqual(["Broker ID confirmed"])
})

test("or refused", async () => {
  const { card, user } = await showCard(awaiting())
  const refused = connection({
    sessionBroker: "ZERODHA",
    reportedId: "AB1234",
    endReason: "REFUSED",
    endedAt: "2026-11-20T04:10:00Z",
  })
  answer("post", `${root}/connection/refuse`, refused, { message: "Broker ID refused" })

  answer("get", `${root}/connection`, refused)
  await user.click(within(card).getByRole("button", { name: "Refuse" }))

  expect(
    await within(card).findByText("AB1234 was refused as the client’s ID, 20/11/2026 09:40 IST."),
  ).toBeVisible()
})

test("a confirmation that comes too late says so", async () => {
  const { card, user } = await showCard(awaiting())
  const words = "AB1234 is the broker ID of C0007 already."
  refuse("post", `${root}/connection/confirm`, 409, words)

  await user.click(within(card).getByRole("button", { name: "Confirm" }))

  await waitFor(() => expect(toastMessages()).toEqual([words]))
})

test.each([
  [connection(), "Not connected. Send the client a login link."],
  [connected({ state: "LOGGED_OUT" }), "The session ran out 21/11/2026 06:00 IST."],
  [
    connected({
      state: "LOGGED_OUT",
      endReason: "BROKER_ENDED",
      endedAt: "2026-11-20T05:00:00Z",
    }),
    "Zerodha ended the session, noticed 20/11/2026 10:30 IST.",
  ],
  [
    connected({
      state: "LOGGED_OUT",
      reportedId: "AB9999",
      endReason: "WRONG_ID",
      endedAt: "2026-11-20T05:00:00Z",
    }),
    "Somebody logged in as AB9999, 20/11/2026 10:30 IST. That is not this client’s ID, so it was refused.",
  ],
  [
    connection({
      link: {
        madeAt: "2026-11-20T05:00:00Z",
        expiresAt: "2026-11-22T05:00:00Z",
        mailed: { status: "SENT", at: "2026-11-20T05:00:05Z", error: null },
      },
    }),
    /A link was mailed 20\/11\/2026 10:30 IST\. It works until 22\/11\/2026 10:30 IST/,
  ],
  [
    connection({
      link: {
        madeAt: "2026-11-20T05:00:00Z",
        expiresAt: "2026-11-22T05:00:00Z",
        mailed: { status: "FAILED", at: "2026-11-20T05:00:05Z", error: "The address is unknown." },
      },
    }),
    /The mail with the link was not delivered: The address is unknown\./,
  ],
])("logged out, it says why and how the link stands", async (clientConnection, words) => {
  const { card } = await showCard(clientConnection)

  expect(within(card).getByText(words)).toBeVisible()
  expect(card).toHaveTextContent("Logout")
})

test("a link is mailed after a question", async () => {
  const { card, user } = await showCard(connection())
  const sent = answer("post", `${root}/connect-link`, { url: null, expiresAt: "x" })

  await user.click(within(card).getByRole("button", { name: "Send connect link" }))
  await user.click(await screen.findByRole("button", { name: "Send link" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Connect link sent"]))
  expect(sent[0]?.body).toEqual({ send: true })
})

test("a link is copied; where the clipboard is closed, it is shown", async () => {
  const url = "https://desk.example.in/connect/the-token"
  answer("post", `${root}/connect-link`, { url, expiresAt: "x" })
  const { user } = await showCard(connection())
  const writeText = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error("no"))
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as never)

  await user.click((await openMore(user)).getByRole("menuitem", { name: "Copy a link" }))
  await waitFor(() => expect(toastMessages()).toEqual(["Link copied"]))
  expect(writeText).toHaveBeenCalledWith(url)

  await user.click((await openMore(user)).getByRole("menuitem", { name: "Copy a link" }))
  expect(await screen.findByRole("textbox", { name: "Connect link" })).toHaveValue(url)
})

test("a session is ended after a question", async () => {
  const { card, user } = await showCard(connected())
  const ended = connected({
    state: "LOGGED_OUT",
    endReason: "LOGGED_OUT",
    endedAt: "2026-11-20T05:00:00Z",
  })
  const sent = answer("post", `${root}/connection/end`, ended, { message: "Broker session ended" })

  await user.click((await openMore(user)).getByRole("menuitem", { name: "End session" }))
  expect(sent).toHaveLength(0)
  answer("get", `${root}/connection`, ended)
  const dialog = await screen.findByRole("dialog")
  await user.click(within(dialog).getByRole("button", { name: "End session" }))

  expect(await within(card).findByText(/Staff ended the session, 20\/11\/2026/)).toBeVisible()
})

test("without a broker in use no link is offered", async () => {
  const { card } = await showCard(connection({ canConnect: false }))

  expect(within(card).getByRole("button", { name: "Send connect link" })).toBeDisabled()
  expect(card).toHaveTextContent("No link can be created: add the broker in Broker & Exchange")
})
