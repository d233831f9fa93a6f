import { screen, waitFor } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { Broker } from "./queries"

const record: Broker = {
  _id: "z1",
  name: "ZERODHA",
  missing: [],
  description: "Kite Connect",
  logo: "/logo.svg",
  apiKey: "kitekey",
  apiSecret: "********",
  apiSecretSet: true,
  apiUrl: "https://api.kite.trade",
  isRenewSessionAllowed: false,
  status: "ACTIVE",
  version: 3,
}
const button = (name: string) => screen.getByRole("button", { name })

function arrange(role: "ADMIN" | "USER") {
  signedIn(role)
  answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })
  answer("get", "/brokers", [])
}

/** Opens Zerodha's record, or the empty form that adds Angel One. */
async function open(what: "record" | "new" = "record", role: "ADMIN" | "USER" = "ADMIN") {
  arrange(role)
  const state =
    what === "record"
      ? { brokerName: "Zerodha", brokerId: "z1" }
      : { brokerName: "Angel One", brokerId: null }
  return showApp("/home/broker-exchange", { role, state })
}

const openRecord = async (role: "ADMIN" | "USER" = "ADMIN", change: Partial<Broker> = {}) => {
  answer("get", "/brokers/:id", { ...record, ...change })
  const app = await open("record", role)
  await screen.findByLabelText("API Key")
  return app
}

test("Angel One's form says which app it needs and that the redirect must be https", async () => {
  await open("new")

  const note = await screen.findByText(/enter this as the app's redirect URL/)
  expect(note).toHaveTextContent('Create the app with the type "Publisher"')
  expect(note).toHaveTextContent("The redirect URL must begin with https.")
})

describe("a record", () => {
  test("fills every field, the secret only with its mask", async () => {
    await openRecord()

    // Only Angel One needs an app of a certain type.
    expect(screen.queryByText(/Publisher/)).not.toBeInTheDocument()
    expect(screen.getByLabelText("Broker Name")).toHaveValue("Zerodha")
    expect(screen.getByLabelText("Broker Name")).toHaveAttribute("readonly")
    expect(screen.getByLabelText("Description")).toHaveValue("Kite Connect")
    expect(screen.getByLabelText("Logo URL")).toHaveValue("/logo.svg")
    expect(screen.getByLabelText("API Secret")).toHaveValue("********")
    expect(screen.getByLabelText("API URL")).toHaveValue("https://api.kite.trade")
    expect(screen.getByLabelText("API Key")).toHaveValue("kitekey")
    expect(screen.getByRole("group", { name: "Is Renew Session Allowed" })).toBeVisible()
    expect(screen.getByRole("radio", { name: "No" })).toBeChecked()
    expect(screen.getByRole("radio", { name: "Active" })).toBeChecked()
  })

  test("is saved with its version, and the mask goes back as it came", async () => {
    const { user } = await openRecord()
    const saved = { ...record, status: "INACTIVE", version: 4 }
    const sent = answer("put", "/brokers/edit", saved, { message: "Broker updated successfully" })

    await user.refill(screen.getByLabelText("Description"), "New words")
    await user.click(screen.getByRole("radio", { name: "Yes" }))
    await user.click(screen.getByRole("radio", { name: "Inactive" }))
    await user.click(button("Save"))

    expect(await screen.findByText("Broker updated successfully")).toBeVisible()
    expect(sent[0]?.body).toEqual({
      id: "z1",
      version: 3,
      description: "New words",
      logo: "/logo.svg",
      apiKey: "kitekey",
      apiSecret: "********",
      apiUrl: "https://api.kite.trade",
      isRenewSessionAllowed: true,
      status: "INACTIVE",
    })
    await waitFor(() => expect(screen.getByRole("radio", { name: "Inactive" })).toBeChecked())
  })

  test("says what the server refuses, at the field too", async () => {
    const { user } = await openRecord()
    const words = "Enter the API secret again when changing the API URL."
    refuse("put", "/brokers/edit", 422, words, [{ field: "apiSecret", message: words }])

    await user.type(screen.getByLabelText("API URL"), "/x")
    await user.click(button("Save"))

    expect(await screen.findByText(`Failed to save broker: ${words}`)).toBeVisible()
    expect(screen.getByLabelText("API Secret")).toHaveAccessibleDescription(
      expect.stringContaining(words),
    )
    expect(screen.getByLabelText("API Secret")).toHaveFocus()
  })

  test.each([
    [
      "a refusal",
      () => refuse("put", "/brokers/edit", 409, "Reload and try again."),
      "Failed to save broker: Reload and try again.",
    ],
    [
      "no message",
      () => refuse("put", "/brokers/edit", 409, ""),
      "Failed to save broker: Unknown server error",
    ],
    ["no network", () => breakOff("put", "/brokers/edit"), "No response from server"],
  ])("shows why it is not saved: %s", async (_, fail, message) => {
    const { user } = await openRecord()
    fail()

    await user.click(button("Save"))

    expect(await screen.findByText(message)).toBeVisible()
  })

  test("is read, not changed, by a USER", async () => {
    await openRecord("USER", { apiKey: "****6789" })

    expect(screen.getByLabelText("API Key")).toHaveValue("****6789")
    for (const label of ["Description", "Logo URL", "API Secret", "API URL", "API Key"])
      expect(screen.getByLabelText(label)).toHaveAttribute("readonly")
    expect(screen.getByRole("radio", { name: "Active" })).toBeDisabled()
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull()
  })

  test("shows that it loads, and what failed", () =>
    expectFetchStates("/brokers/:id", { open: () => open(), data: record, shows: "API Key" }))
})

describe("a new broker", () => {
  test("starts with the broker's own address and is added under its value, once", async () => {
    const { user, router } = await open("new")
    const added = { ...record, _id: "a1", name: "ANGEL_ONE" }
    const sent = answer("post", "/brokers/add", added, { message: "Broker added successfully" })

    expect(screen.getByLabelText("Broker Name")).toHaveValue("Angel One")
    expect(screen.getByLabelText("API URL")).toHaveValue("https://apiconnect.angelone.in")
    await user.fill(screen.getByLabelText("API Key"), "angelkey")
    await user.fill(screen.getByLabelText("API Secret"), "s3cret")
    await user.click(button("Save"))

    expect(await screen.findByText("Broker added successfully")).toBeVisible()
    expect(sent[0]?.body).toEqual({
      name: "ANGEL_ONE",
      description: "",
      logo: "",
      apiKey: "angelkey",
      apiSecret: "s3cret",
      apiUrl: "https://apiconnect.angelone.in",
      isRenewSessionAllowed: false,
      status: "ACTIVE",
    })
    expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
    await waitFor(() => expect(router.state.location.pathname).toBe("/home/broker-details"))
  })

  test("that cannot be added keeps what was typed", async () => {
    const { user } = await open("new")
    refuse("post", "/brokers/add", 409, "This broker was added already.")

    await user.fill(screen.getByLabelText("API Key"), "angelkey")
    await user.click(button("Save"))

    expect(
      await screen.findByText("Failed to save broker: This broker was added already."),
    ).toBeVisible()
    expect(screen.getByLabelText("API Key")).toHaveValue("angelkey")
  })

  test("is an administrator's to add", async () => {
    await open("new", "USER")

    expect(screen.getByText(/An administrator can add it/)).toBeVisible()
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull()
  })
})

test("Back goes to the list", async () => {
  const { user, router } = await openRecord()

  await user.click(button("Back"))

  expect(router.state.location.pathname).toBe("/home/broker-details")
})

test("an address typed by hand, which names no broker, leads to the list", async () => {
  arrange("ADMIN")
  const { router } = await showApp("/home/broker-exchange", { role: "ADMIN" })

  expect(await screen.findByRole("region", { name: "Zerodha" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/home/broker-details")
})
