import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import type { ConsentText } from "./consent-text-queries"

const version = (number: number, effectiveOn: string, text: string) => ({
  number,
  effectiveOn,
  text,
  textHi: "",
})
const terms: ConsentText = {
  kind: "TERMS",
  inForce: { number: 1, effectiveOn: "2026-01-01" },
  versions: [version(2, "2199-01-01", "New terms."), version(1, "2026-01-01", "Old terms.")],
}
const data: ConsentText = { kind: "DATA", inForce: null, versions: [] }

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
  answer("get", "/settings/consent-texts", [terms, data])
})

const open = () => showApp("/home/settings?section=consents", { role: "ADMIN" })
const card = async (name: string) => within(await screen.findByRole("region", { name }))

test("each text has its versions, with the one in force", async () => {
  const { user } = await open()

  const card1 = await card("Terms of service")
  expect(card1.getByText(/^Version 1, from 01\/01\/2026/)).toHaveTextContent("In force")
  expect(card1.getByText(/^Version 2, from 01\/01\/2199/)).toHaveTextContent("Later")
  await user.click(card1.getByText(/^Version 1/))
  expect(card1.getByText("Old terms.")).toBeVisible()
  expect(
    (await card("Personal data")).getByText("No text yet. Clients are not asked."),
  ).toBeVisible()
})

test("a new version begins as the newest text, and a refusal is said at its field", async () => {
  const { user } = await open()
  const sentence = "Version 2 is in force from 1 Jan 2199. Choose a later day."
  refuse("post", "/settings/consent-texts", 422, sentence, [
    { field: "effectiveOn", message: sentence },
  ])
  await user.click(await screen.findByRole("button", { name: "Add version of Terms of service" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Terms of service: version 3" }))
  expect(dialog.getByLabelText("Text in English")).toHaveValue("New terms.")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(dialog.getByText("Please select a valid date")).toBeVisible()

  await user.fill(dialog.getByLabelText("In force from"), "01-01-2199")
  await user.refill(dialog.getByLabelText("Text in English"), "Newer terms.")
  await user.fill(dialog.getByLabelText("Text in Hindi (optional)"), "नई शर्तें")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await dialog.findByText(sentence)).toBeVisible()

  const sent = answer("post", "/settings/consent-texts", [
    { ...terms, versions: [version(3, "2199-01-02", "Newer terms."), ...terms.versions] },
    data,
  ])
  await user.refill(dialog.getByLabelText("In force from"), "02-01-2199")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await screen.findByText("Version saved")).toBeVisible()
  expect(sent[0]!.body).toEqual({
    kind: "TERMS",
    effectiveOn: "2199-01-02",
    text: "Newer terms.",
    textHi: "नई शर्तें",
  })
  expect(await screen.findByText(/^Version 3/)).toBeVisible()
})

test("a check offers the levels that it has, and one that is off says so", async () => {
  const guard = (id: string, title: string, levels: string[], level: string) => ({
    ...{ id, title, hint: "", default: "WARN", levels, level },
  })
  answer("get", "/admin/settings/guards", [
    guard("certificate", "The certificate has expired", ["WARN", "BLOCK"], "BLOCK"),
    guard("kyc", "KYC is missing", ["OFF", "WARN", "BLOCK"], "OFF"),
  ])
  await showApp("/home/settings?section=guards", { role: "ADMIN" })

  const kyc = await screen.findByLabelText("KYC is missing")
  const names = (select: HTMLElement) =>
    within(select)
      .getAllByRole("option")
      .map((option) => option.textContent)
  expect(names(kyc)).toEqual(["Do not check", "Warn", "Block the send"])
  expect(kyc).toHaveDisplayValue("Do not check")
  expect(names(screen.getByLabelText("The certificate has expired"))).toEqual([
    "Warn",
    "Block the send",
  ])
})
