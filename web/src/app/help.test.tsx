import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { session } from "@/api/session"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { show, showApp } from "@/testing/show"
import Help from "./help"
import { topicAt, topics } from "./help-topics"
import { screens } from "./screens"

test("the ? of the header opens help for the screen, with its guide, and Escape closes it", async () => {
  signedIn()
  ownSettingsAnswered()
  const { user } = await showApp("/home/settings", { role: "ADMIN" })
  const button = await screen.findByRole("button", { name: "Help (?)" })
  await user.click(button)

  const panel = await screen.findByRole("dialog", { name: "Help" })
  expect(within(panel).getByLabelText("Search help")).toHaveFocus()
  const topic = within(panel).getByRole("region", { name: "Settings" })
  expect(topic).toHaveTextContent("“Mail”")
  expect(within(topic).getByRole("link", { name: "Operations guide" })).toHaveAttribute(
    "href",
    expect.stringContaining("operations"),
  )

  await user.keyboard("{Escape}")
  expect(screen.queryByRole("dialog")).toBeNull()
})

test("the search looks through all screens, keys and terms", async () => {
  session.start("token-of-the-test", "ADMIN")
  const { user } = await show(<Help onClose={() => undefined} />)
  const field = screen.getByLabelText("Search help")

  await user.fill(field, "money-weighted")
  expect(screen.getByRole("term")).toHaveTextContent("XIRR")
  await user.refill(field, "auto row")
  const advice = screen.getByRole("region", { name: "Advice" })
  expect(within(advice).getByText("Auto on or off for the row")).toBeVisible()
  await user.refill(field, "xyzzy")
  expect(screen.getByText("Nothing found for “xyzzy”.")).toBeVisible()
})

test("a USER finds no help on screens of an ADMIN", async () => {
  session.start("token-of-the-test", "USER")
  const { user } = await show(<Help onClose={() => undefined} />)

  await user.fill(screen.getByLabelText("Search help"), "audit")

  expect(screen.queryByRole("region", { name: "Audit Trail" })).toBeNull()
  expect(screen.queryByText("Go to Audit Trail")).toBeNull()
})

test("every screen of the menu has help, and a longer address has its own", () => {
  for (const { to } of screens) expect(topicAt(to ?? ""), to).toBeDefined()
  expect(topicAt("/home/models/drift")?.title).toBe("Drift")
  expect(topicAt("/home/models/model-1")?.title).toBe("Models")
  expect(topicAt("/home/client/portfolio")?.title).toBe("Portfolio")
  expect(new Set(topics.map(({ at }) => at)).size).toBe(topics.length)
})
