import { expect, type Page } from "@playwright/test"
import type { Desk } from "./desk"
import { LETTER, mailed, mailsTo } from "./mails"

const CODE = /^(\d{6})\r?$/m

/** The client's page of one advice, as a client uses it; found by its forms, because it is in two languages. */
export const formTo = (page: Page, action: string) => page.locator(`form[action$="/${action}"]`)

/** Opens a link to an advice, asks for a code, and enters the one that was mailed. */
export async function openAdvice(page: Page, address: string, recipient: string) {
  await page.goto(address)
  // An earlier code is of no use: the new one is waited for.
  const earlier = mailsTo(recipient).filter((text) => CODE.test(text)).length
  await formTo(page, "code").getByRole("button").click()
  const codes = await mailed(recipient, CODE, earlier + 1)
  await page.locator("#code").fill(codes.at(-1) ?? "")
  await formTo(page, "open").getByRole("button").click()
  await expect(page.locator("ul.orders li").first()).toBeVisible()
}

/** Shows the open page in a language. */
export async function showIn(page: Page, language: "EN" | "HI") {
  await formTo(page, "view").locator(`button[value="${language}"]`).click()
  await expect(page.locator("html")).toHaveAttribute("lang", language.toLowerCase())
  await expect(page.locator("ul.orders li").first()).toBeVisible()
}

interface Row {
  _id: string
  clientId: string
}

/** An advice that was acted on, and its client's address. */
export async function actedAdvice(desk: Desk) {
  const acted = () => desk.call<Row[]>("GET", "/admin/follow-up?state=ACTED&limit=10")
  // The advice of the demo is matched within seconds of its start.
  await expect.poll(async () => (await acted()).length).toBeGreaterThan(0)
  const [row] = await acted()
  const clients = await desk.call<{ email: string }[]>(
    "GET",
    `/admin/clients?query=${row?.clientId ?? ""}`,
  )
  const email = clients[0]?.email ?? ""
  // The mail of the advice has a link of its own, which ends those that were made before it was written.
  await expect.poll(() => mailsTo(email).length, LETTER).toBeGreaterThan(0)
  return { code: row?.clientId ?? "", id: row?._id ?? "", email }
}
