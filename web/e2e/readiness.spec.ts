import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { readyBroker } from "./at-brokers"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { pressKeys, tabTo } from "./keys"
import { test } from "./test"

/** Who can be advised: clients log in at the simulated broker, are synced, and their problems are listed. */
test.describe.configure({ mode: "serial" })

/** A client logs in by a link, at the broker's page, and staff confirm the ID. */
async function logIn(page: Page, desk: Desk, clientId: string, userId: string) {
  const path = `/admin/clients/client/${clientId}`
  const { url } = await desk.call<{ url: string }>("POST", `${path}/connect-link`, { send: false })
  const outside = await page.context().browser()!.newPage()
  await outside.goto(url)
  await outside.getByRole("button", { name: "Continue to Zerodha" }).click()
  await outside.getByLabel("User ID").selectOption(userId)
  await outside.getByRole("button", { name: "Continue" }).click()
  await expect(outside.getByText("You can close this page.")).toBeVisible()
  await outside.close()
  const { sessionId } = await desk.call<{ sessionId: string }>("GET", `${path}/connection`)
  await desk.call("POST", `${path}/connection/confirm`, { sessionId })
}

const filter = (page: Page, name: RegExp) =>
  page.getByRole("group", { name: "Show clients" }).getByRole("button", { name })
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) })

test(
  "clients who logged in are synced with one click, and their problems are shown",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.open(page)
    await readyBroker(page, desk, "ZERODHA")
    const [one, other] = await desk.addClients("Tara Readywala", "Uday Notyet")
    await desk.seat(page)
    await page.goto("/home/readiness?query=Readywala")
    await expect(row(page, "Tara Readywala")).toContainText("Not logged in")
    await expect(row(page, "Tara Readywala")).toContainText("Never")

    await logIn(page, desk, one!.id, "AB1500")
    await page.reload()
    // Before six in the morning, when the broker ends every session, it is said that it ends soon.
    await expect(row(page, "Tara Readywala")).toContainText(/Logged in|Ends soon/)
    await page.getByRole("button", { name: "Sync all" }).click()
    await expect(row(page, "Tara Readywala")).toContainText(/seconds? ago/)
    await expect(page.getByRole("status", { name: "Last sync" })).toContainText("synced")

    await row(page, "Tara Readywala")
      .getByRole("button", { name: /Tara Readywala/ })
      .click()
    await page.getByRole("menuitem", { name: "Broker statement" }).click()
    const dialog = page.getByRole("dialog", { name: "Broker statement for Tara Readywala" })
    await expect(dialog.getByText("Last successful sync")).toBeVisible()
    await expectNoFaults(page, "what the broker says")
    await page.keyboard.press("Escape")

    await row(page, "Tara Readywala").getByText("Tara Readywala").click()
    await expect(page).toHaveURL(/\/home\/client\/portfolio/)
    await expect(page.getByRole("region", { name: "Your Holdings, table" })).toContainText("₹")
    expect(other).toBeDefined()
  },
)

test("one press sends connect links to all who need one", { tag: "@long" }, async ({ page }) => {
  await Desk.signIn(page, "USER")
  await page.goto("/home/dashboard")
  const line = page.getByRole("link", { name: /not logged in to the broker/ })
  const counted = await line.getByRole("strong").innerText()
  await line.click()
  await expect(page.getByRole("heading", { level: 1, name: "Readiness" })).toBeVisible()
  await expect(page).toHaveURL(/show=SESSION/)
  await expect(filter(page, /^Not logged in/)).toContainText(counted)
  await expect(row(page, "Uday Notyet")).toContainText("Not logged in")

  await page.getByRole("button", { name: /^Send [\d,]+ connect links$/ }).click()
  await expect(page.getByText(/connect links? (is|are) on the way/)).toBeVisible()
  await expect(row(page, "Uday Notyet")).toContainText("Link sent")
  await expect(page.getByRole("button", { name: "Send connect links" })).toBeDisabled()
  await expectNoFaults(page, "readiness")
})

test("the screen fits a phone", { tag: "@long" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await Desk.signIn(page)
  await page.goto("/home/readiness?query=readywala")
  await expect(page.getByText("Tara Readywala")).toBeVisible()
  await page.goto("/home/readiness")
  await expect(filter(page, /^All/)).toBeVisible()
  await expectNoSidewaysScroll(page, "readiness on a phone")
  await expectNoFaults(page, "readiness on a phone")
})

test(
  "the list is saved with its filters, as CSV and as a workbook",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page, "USER")
    await page.goto("/home/readiness?query=notyet")
    await expect(row(page, "Uday Notyet")).toBeVisible()
    for (const [word, format] of [
      ["CSV", "csv"],
      ["Excel", "xlsx"],
    ] as const) {
      await page.getByRole("button", { name: "Table options: Readiness" }).click()
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: `Download ${word}` }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(
        new RegExp(`^readiness-\\d{4}-\\d\\d-\\d\\d\\.${format}$`),
      )
      const content = readFileSync(await file.path())
      if (format === "xlsx") {
        expect(content.subarray(0, 2).toString()).toBe("PK")
        continue
      }
      const [heads, ...rows] = content.toString("utf8").trim().split("\r\n")
      expect(heads).toMatch(/^Client ID,Client Name,Broker,Log-in,/)
      expect(rows).toHaveLength(1)
      expect(rows[0]).toContain("Uday Notyet,,Not logged in,")
      expect(rows[0]).toMatch(/Not logged in, Not synced"$/)
    }
  },
)

test(
  "with the keyboard alone: a problem is chosen, a row's acts and the row itself are opened",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    await Desk.signIn(page, "USER")
    await page.goto("/home/readiness?query=readywala")
    await expect(row(page, "Tara Readywala")).toBeVisible()
    await tabTo(page, filter(page, /^Stale prices|^All/).first())
    await tabTo(page, filter(page, /^Not logged in/))
    await pressKeys(page, "Enter")
    await expect(page).toHaveURL(/show=SESSION/)
    await expect(page.getByText("No client matches.")).toBeVisible()
    await tabTo(page, page.getByRole("button", { name: "Clear filters" }))
    await pressKeys(page, "Enter")
    await expect(filter(page, /^All/)).toHaveAttribute("aria-pressed", "true")

    await page.goto("/home/readiness?query=readywala")
    const acts = row(page, "Tara Readywala").getByRole("button", { name: /Tara Readywala/ })
    await tabTo(page, acts)
    await pressKeys(page, "Enter")
    await expect(page.getByRole("menuitem", { name: "Broker statement" })).toBeFocused()
    await pressKeys(page, "Enter")
    const dialog = page.getByRole("dialog", { name: "Broker statement for Tara Readywala" })
    await expect(dialog).toBeVisible()
    await pressKeys(page, "Escape")
    await expect(dialog).toBeHidden()
    await expect(acts).toBeFocused()
  },
)
