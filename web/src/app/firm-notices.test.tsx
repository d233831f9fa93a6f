import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, answerLater } from "@/testing/server"
import { setScreenWidth } from "@/testing/screen-width"
import { showApp } from "@/testing/show"
import { firm, ownSettingsAnswered, signedIn } from "@/testing/signed-in"

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

const settings = () => showApp("/home/settings", { role: "ADMIN" })

test("on a phone the notices are one line with the price feed, which opens to the full texts", async () => {
  setScreenWidth(390)
  answer("get", "/firm", { ...firm, isPractice: true, mail: "NOT_SET_UP" })
  const { user } = await settings()
  const notices = within(await screen.findByRole("region", { name: "Notices" }))
  const line = notices.getByText("not investment advice · no mail")
  const practice = notices.getByText("Practice: simulated prices, not investment advice")
  expect(practice).not.toBeVisible()

  await user.click(line)

  expect(practice).toBeVisible()
  expect(notices.getByText(/nothing reaches clients/)).toBeVisible()
  expect(notices.getByRole("link", { name: "Set up mail" })).toBeVisible()
})

test("notices of the last time are shown from the start", async () => {
  answer("get", "/firm", { ...firm, isPractice: true, mail: "NOT_SET_UP" })
  const { unmount } = await settings()
  await screen.findByRole("region", { name: "Notices" })
  unmount()
  const { answerNow } = answerLater("get", "/firm", { ...firm, isPractice: true, mail: "TESTED" })

  await settings()

  expect(screen.getByText(/nothing reaches clients/)).toBeVisible()
  answerNow()
  await waitFor(() => expect(screen.queryByText(/nothing reaches clients/)).not.toBeInTheDocument())
  expect(screen.getByText(/Practice: simulated prices/)).toBeVisible()
})

test("remembered notices that make no sense are left out", async () => {
  localStorage.setItem("tarazu.firm-notices", '{"mail":"LOST"}')
  answerLater("get", "/firm", null)

  await settings()

  expect(screen.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible()
  expect(screen.queryByRole("region", { name: "Notices" })).not.toBeInTheDocument()
})
