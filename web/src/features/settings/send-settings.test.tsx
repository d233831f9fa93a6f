import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, answerWith, refuse } from "@/testing/server"
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
  const put = answerWith("put", "/settings/firm", {
    success: true,
    message: "Firm details saved",
    data: { ...details, disclosures: "The analyst holds TCS.", version: 5 },
  })
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
  const put = answerWith("put", "/settings/firm", {
    success: true,
    message: "Firm details saved",
    data: { ...details, version: 5 },
  })
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
