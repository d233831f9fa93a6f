import { expect, type Page } from "@playwright/test"
import { openOutside } from "./at-brokers"
import { actedAdvice, openAdvice, showIn } from "./client-page"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { errorsOf } from "./network"
import { test } from "./test"

/** The client's page of an advice of the demo: its link from the history, its code from the outbox, on a phone, in both languages. */

const phone = { width: 390, height: 844 }
const languages = ["EN", "HI"] as const

/** Text at twice its size, as a phone's own setting makes it. */
const enlarge = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize
  }, size)

test("the link of the demo's history opens with the code in its outbox", async ({
  page,
  context,
}) => {
  const { code, email } = await actedAdvice(await Desk.open(page))
  await Desk.signIn(page, "ADMIN", code)
  await page.goto("/home/client/advice-history")
  await page
    .getByRole("button", { name: /^Show details of the advice/ })
    .first()
    .click()
  await page
    .getByRole("button", { name: /client link/i })
    .first()
    .click()
  const dialog = page.getByRole("dialog", { name: /^Client link/ })
  await dialog.getByRole("button", { name: /link/i }).first().click()
  const address = await dialog.getByLabel("Link", { exact: true }).inputValue()

  const client = await openOutside(context)
  await openAdvice(client, address, email)
  await expect(client.locator("html")).toHaveAttribute("lang", "en")
  await client.context().close()
})

test(
  "the page has no fault in either language, in light and dark, with text of any size",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.open(page)
    const { id, email } = await actedAdvice(desk)
    const { url } = await desk.call<{ url: string }>("POST", `/admin/advice/${id}/link`)
    const client = await openOutside(context)
    const errors = errorsOf(client)
    await client.setViewportSize(phone)
    for (const language of languages) {
      await client.goto(`${url}?lang=${language}`)
      await expectNoSidewaysScroll(client, `front page, ${language}`)
      await expectNoFaults(client, `front page, ${language}`)
    }
    await openAdvice(client, url, email)
    for (const language of languages) {
      await showIn(client, language)
      await client.locator("details").evaluateAll((all) => {
        for (const details of all) details.setAttribute("open", "")
      })
      for (const size of ["100%", "200%"]) {
        const name = `the client's page, ${language}, text at ${size}`
        await enlarge(client, size)
        await expectNoSidewaysScroll(client, name)
        await expectNoFaults(client, name)
      }
    }
    expect(errors).toEqual([])
    await client.context().close()
  },
)

test(
  "without JavaScript the page is read after the code, answered, and its letter saved",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.open(page)
    const { id, email } = await actedAdvice(desk)
    const { url } = await desk.call<{ url: string }>("POST", `/admin/advice/${id}/link`)
    const client = await openOutside(context, { javaScriptEnabled: false, viewport: phone })
    await openAdvice(client, url, email)

    for (const heading of [
      "What to do now",
      "Before and after",
      "Rationale",
      "Risks",
      "Disclosures",
    ])
      await expect(client.getByRole("heading", { name: heading })).toBeVisible()
    await expect(client.getByText(/subject to market risks/)).toBeVisible()
    await expect(client.getByText("Use of AI:")).toBeVisible()
    // What only a script can do is not offered.
    await expect(client.getByText("Copy this order").filter({ visible: true })).toHaveCount(0)
    await client.getByRole("button", { name: "I have read this" }).click()
    await expect(client.getByRole("status")).toHaveText("Recorded: you have read this advice.")

    await client.getByText("I will not act", { exact: true }).click()
    await client.getByRole("checkbox").first().check()
    await client.getByLabel("Reason (not required)").fill("I keep these.")
    await client.getByRole("button", { name: "Send: I will not act" }).click()
    await expect(client.getByRole("status")).toContainText("Recorded: you will not act.")
    await expect(client.getByText("You will not act on this")).toHaveCount(1)
    await client.getByRole("button", { name: "Take back that I will not act" }).click()
    await expect(client.getByRole("status")).toHaveText("Recorded: you took it back.")

    await client.getByText("I have a question", { exact: true }).click()
    await client.getByLabel("Your question").fill("Why now?")
    await client.getByRole("button", { name: "Send the question" }).click()
    await expect(client.getByRole("status")).toContainText("Your question was sent.")
    await expect(client.getByText("Why now?")).toBeVisible()

    const saved = client.waitForEvent("download")
    await client.getByRole("button", { name: "Letter as PDF" }).click()
    expect((await saved).suggestedFilename()).toMatch(/^advice-C\d+-.*\.pdf$/)
    await showIn(client, "HI")
    await expect(client.getByText("AI का उपयोग:")).toBeVisible()
    await expectNoSidewaysScroll(client, "the page without JavaScript")

    const { responses } = await desk.call<{ responses: { answer: string; text: string }[] }>(
      "GET",
      `/admin/advice/${id}/execution`,
    )
    const given = responses.slice(-3).map(({ answer, text }) => [answer, text])
    expect(given).toEqual([
      ["DECLINED", "I keep these."],
      ["WITHDRAWN", ""],
      ["QUESTION", "Why now?"],
    ])
    await client.context().close()
  },
)
