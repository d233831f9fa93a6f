import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const question = (id: string, text: string) => ({ id, question: text, isYes: null, details: "" })
const details = {
  disclosures: "",
  disclosuresConfirmedOn: null,
  disclosureQuestions: [
    question("holdings", "Do you hold these stocks?"),
    question("conflicts", "Is there a conflict?"),
  ],
  rationales: [{ name: "Review", text: "Monthly review." }],
  standardRationale: "",
  version: 4,
}

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
  answer("get", "/settings/firm", details)
})

const open = (section: string) => showApp(`/home/settings?section=${section}`, { role: "ADMIN" })
const group = (name: string) => within(screen.getByRole("group", { name }))

test("disclosures are confirmed once every question is answered", async () => {
  const put = answer("put", "/settings/firm", { ...details, version: 5 })
  const { user } = await open("disclosures")
  expect(
    await screen.findByText(
      "Not answered yet. Advice cannot be sent until all questions are answered.",
    ),
  ).toBeVisible()
  await user.click(group("Do you hold these stocks?").getByRole("radio", { name: "Yes" }))
  await user.click(screen.getByRole("button", { name: "Confirm as of today" }))
  expect(screen.getByText("Enter what to disclose.")).toBeVisible()
  expect(screen.getByText("Choose Yes or No.")).toBeVisible()
  expect(put).toHaveLength(0)

  await user.fill(screen.getByLabelText("Text in letters"), "The analyst holds TCS.")
  await user.click(group("Is there a conflict?").getByRole("radio", { name: "No" }))
  await user.click(screen.getByRole("button", { name: "Confirm as of today" }))

  expect(await screen.findByText("Disclosures confirmed")).toBeVisible()
  expect(put[0]?.body).toEqual({
    disclosureAnswers: [
      { id: "holdings", isYes: true, details: "The analyst holds TCS." },
      { id: "conflicts", isYes: false, details: "" },
    ],
    version: 4,
  })
})

test("rationale texts are added, changed and saved together", async () => {
  const put = answer("put", "/settings/firm", { ...details, version: 5 })
  const { user } = await open("rationales")
  await user.click(await screen.findByRole("button", { name: "Add text" }))
  await user.fill(screen.getAllByLabelText("Name")[1] as HTMLElement, "Exit")
  await user.fill(screen.getAllByLabelText("Text")[1] as HTMLElement, "The story has changed.")
  await user.fill(
    screen.getByRole("textbox", { name: "Standard rationale" }),
    "Back to the targets.",
  )

  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("Rationales saved")).toBeVisible()
  expect(put[0]?.body).toEqual({
    rationales: [
      { name: "Review", text: "Monthly review." },
      { name: "Exit", text: "The story has changed." },
    ],
    standardRationale: "Back to the targets.",
    version: 4,
  })
})

test("a test mail that is refused shows the mail server's message", async () => {
  answer("get", "/firm", { ...firm, mail: "NOT_TESTED" })
  const words = "The mail server answered: 550 Relaying is not allowed here"
  refuse("post", "/settings/mail/test", 502, words)
  const { user } = await open("mail")

  await user.click(await screen.findByRole("button", { name: "Send a test mail" }))

  expect(await screen.findByText(words)).toBeVisible()
})

test("without a mail server every screen says so until a test mail was delivered", async () => {
  answer("get", "/firm", { ...firm, isPractice: true, mail: "NOT_SET_UP" })
  await open("mail")

  expect(
    await screen.findByText(/No mail server is set up: nothing reaches clients\./),
  ).toBeVisible()
  expect(screen.getByText("Practice: simulated prices, not investment advice")).toBeVisible()
  expect(screen.getByRole("button", { name: "Send a test mail" })).toBeDisabled()
})

const priceSources = {
  stocks: 3,
  staleCount: 1,
  sources: [
    {
      source: "NSE_FILE",
      stocks: 2,
      stale: 0,
      newestAt: "2026-11-20T10:00:00Z",
      oldestAt: "2026-11-20T10:00:00Z",
    },
    {
      source: "CLOSE",
      stocks: 1,
      stale: 1,
      newestAt: "2026-08-21T10:00:00Z",
      oldestAt: "2026-08-21T10:00:00Z",
    },
  ],
  stale: [
    {
      symbol: "TCS",
      exchange: "NSE",
      name: "Tata Consultancy Services Ltd.",
      isin: "INE467B01029",
      price: 3301.05,
      pricedAt: "2026-08-21T10:00:00Z",
      source: "CLOSE",
      isHeld: true,
    },
  ],
}

test("the settings show the price sources, list the stale prices and open the import", async () => {
  answer("get", "/admin/prices/sources", priceSources)
  const { user } = await open("prices")

  const sources = within(await screen.findByRole("region", { name: "Price sources, table" }))
  expect(await sources.findByText("NSE closing prices")).toBeVisible()
  expect(sources.getAllByRole("row")[2]).toHaveTextContent(
    "Closing prices that came with the product1121 Aug 202621 Aug 2026",
  )
  const stale = within(screen.getByRole("region", { name: "Stale prices, table" }))
  expect(stale.getAllByRole("row")[1]).toHaveTextContent("TCS NSE3,301.0521 Aug 2026")

  await user.click(screen.getByRole("button", { name: "Import closing prices" }))
  expect(await screen.findByLabelText("Drop a file here, or choose one")).toBeInTheDocument()
})
