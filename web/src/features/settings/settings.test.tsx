import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import type { FirmDetails } from "./queries"
import { renewalTone, renewalWords } from "./renewal"

const details: FirmDetails = {
  name: "Meridian Research",
  registrationNumber: "INH000012345",
  analystName: "Kavita Rao",
  designation: "",
  registeredFrom: "2024-02-14",
  validity: "perpetual",
  renewalOn: "2029-02-13",
  address: "",
  contact: "desk@meridian.example",
  disclosures: "None.",
  disclosuresConfirmedOn: null,
  disclosureQuestions: [
    { id: "holdings", question: "Do you hold these stocks?", isYes: null, details: "" },
    { id: "conflicts", question: "Is there a conflict?", isYes: null, details: "" },
  ],
  standardWarning: "Investments are subject to market risks.",
  noAssurance: "Registration assures no returns.",
  standardWarningHi: "प्रतिभूति बाज़ार में जोखिम है।",
  aiUse: "",
  aiUseHi: "",
  noAssuranceHi: "पंजीकरण प्रतिफल का आश्वासन नहीं है।",
  adviceDays: 3,
  logo: null,
  signature: null,
  rationaleRequired: false,
  standardRationale: "",
  rationales: [],
  priceMinutes: 15,
  priceTolerancePercentage: 2,
  bandPercentage: 0,
  minimumTradeValue: 0,
  tradePenalty: 0.01,
  includeCharges: true,
  allowFreshFunds: true,
  priceBufferPercentage: 0,
  adviceMinimumTradeValue: 1000,
  sellsPledged: true,
  limitsPurchases: false,
  usableProceedsPercentage: 100,
  version: 4,
  updatedAt: "2026-11-20T10:00:00Z",
}
const meera = { name: "Meera Nair", email: "meera@example.in", role: "ADMIN" }

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

const tab = (name: string) => screen.findByRole("tab", { name })
const open = (section?: string) =>
  showApp(`/home/settings${section ? `?section=${section}` : ""}`, { role: "ADMIN" })

describe("the profile", () => {
  test("and the registration are read by everybody, with a countdown to the renewal", async () => {
    vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z"), toFake: ["Date"] })
    signedIn("USER")
    ownSettingsAnswered("USER")
    await showApp("/home/settings", { role: "USER" })

    expect(await screen.findByText("meera@example.in")).toBeVisible()
    const notice = within(screen.getByRole("region", { name: "Registration" }))
    expect(await notice.findByText("INH000012345")).toBeVisible()
    expect(notice.getByText("Kavita Rao")).toBeVisible()
    expect(notice.getByText("14 Feb 2024")).toBeVisible()
    expect(notice.getByText("Perpetual")).toBeVisible()
    expect(notice.getByText("in 815 days")).toBeVisible()
    expect(screen.queryByRole("tab")).toBeNull()
    expect(screen.queryByRole("textbox")).toBeNull()
  })

  test("that fails to load shows an error, next to the rest", async () => {
    refuse("get", "/profile", 500, "Something went wrong")
    const { user } = await open()

    expect(await screen.findByText("Failed to fetch data")).toBeVisible()
    expect(await screen.findByText("INH000012345")).toBeVisible()
    answer("get", "/profile", meera)
    await user.click(screen.getByRole("button", { name: "Retry" }))
    expect(await screen.findByText("meera@example.in")).toBeVisible()
  })

  test.each([
    ["2029-02-13", "2026-11-21", "in 815 days", undefined],
    ["2027-02-13", "2026-11-21", "in 84 days", "warn"],
    ["2026-11-22", "2026-11-21", "in 1 day", "warn"],
    ["2026-11-21", "2026-11-21", "today", "warn"],
    ["2026-11-18", "2026-11-21", "3 days ago", "loss"],
  ])("a renewal on %s is, on %s, %s", (renewal, now, words, tone) => {
    expect(renewalWords(renewal, now)).toBe(words)
    expect(renewalTone(renewal, now)).toBe(tone)
  })
})

test("an ADMIN goes from section to section, and the address keeps it", async () => {
  answer("get", "/admin/prices/sources", { stocks: 0, staleCount: 0, sources: [], stale: [] })
  answer("get", "/settings/charges", [])
  const { user, router } = await open()

  await user.click(await tab("Prices"))
  expect(router.state.location.search).toEqual({ section: "prices" })
  await user.keyboard("{ArrowRight}")

  expect(router.state.location.search).toEqual({ section: "charges" })
  expect(await screen.findByRole("button", { name: "Add version" })).toBeVisible()
})

test("an unknown section opens the profile", async () => {
  await open("nothing")

  expect(await tab("Profile")).toHaveAttribute("aria-selected", "true")
})

describe("the firm's details", () => {
  test("are changed and saved with their version", async () => {
    answer("get", "/settings/firm", details)
    const sent = answerWith("put", "/settings/firm", {
      success: true,
      message: "Firm details saved",
      data: { ...details, name: "Sahyadri Research", version: 5 },
    })
    const { user } = await open("firm")

    const name = await screen.findByLabelText("Firm name")
    await user.refill(name, "Sahyadri Research")
    await user.clear(screen.getByLabelText("Renewal date"))
    await user.refill(screen.getByLabelText("Ignore drift below"), "0.25")
    await user.click(screen.getByRole("checkbox", { name: "Require a rationale for every advice" }))
    await user.click(screen.getByRole("button", { name: "Save" }))

    expect(await screen.findByText("Firm details saved")).toBeVisible()
    expect(sent[0]?.body).toMatchObject({
      name: "Sahyadri Research",
      renewalOn: null,
      bandPercentage: 0.25,
      tradePenalty: 0.01,
      rationaleRequired: true,
      priceMinutes: 15,
      version: 4,
    })
    expect(sent[0]?.body).not.toHaveProperty("updatedAt")
    // Disclosures are confirmed on their own screen, never along with other details.
    expect(sent[0]?.body).not.toHaveProperty("disclosures")
    expect(await screen.findByLabelText("Firm name")).toHaveValue("Sahyadri Research")
  })

  test("on the advice to one client are saved", async () => {
    answer("get", "/settings/firm", details)
    const sent = answer("put", "/settings/firm", details)
    const { user } = await open("firm")
    expect(await screen.findByLabelText("Smallest trade in advice to one client")).toHaveValue(
      "₹1,000",
    )

    await user.refill(screen.getByLabelText("Smallest trade in advice to one client"), "2500")
    await user.refill(screen.getByLabelText("Usable sale proceeds"), "80")
    await user.click(screen.getByLabelText("Advise sales of pledged shares"))
    await user.click(screen.getByLabelText("Limit purchases to cash and usable sale proceeds"))
    await user.click(screen.getByRole("button", { name: "Save" }))

    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({
      adviceMinimumTradeValue: 2500,
      usableProceedsPercentage: 80,
      sellsPledged: false,
      limitsPurchases: true,
    })
  })

  test("that are not valid are not sent, and say why", async () => {
    answer("get", "/settings/firm", details)
    const { user } = await open("firm")

    await user.clear(await screen.findByLabelText("Registration number"))
    await user.clear(screen.getByLabelText("Skip trades under"))
    await user.click(screen.getByRole("button", { name: "Save" }))

    expect(screen.getByText("Registration number is required")).toBeVisible()
    expect(screen.getByText("Please enter a valid amount")).toBeVisible()
    expect(screen.getByLabelText("Registration number")).toHaveFocus()
  })

  test("that somebody else changed are not overwritten", async () => {
    answer("get", "/settings/firm", details)
    const words = "This record was changed by someone else. Reload and try again."
    refuse("put", "/settings/firm", 409, words)
    const { user } = await open("firm")

    await user.type(await screen.findByLabelText("Contact"), "x")
    await user.click(screen.getByRole("button", { name: "Save" }))

    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByLabelText("Contact")).toHaveValue("desk@meridian.examplex")
    await user.click(screen.getByRole("button", { name: "Undo" }))
    expect(screen.getByLabelText("Contact")).toHaveValue("desk@meridian.example")
  })

  test("show that they load, and can be loaded again after a failure", () =>
    expectFetchStates("/settings/firm", {
      open: () => open("firm"),
      data: details,
      shows: "Firm name",
    }))
})
