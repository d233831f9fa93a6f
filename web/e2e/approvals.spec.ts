import { expect, type Page } from "@playwright/test"
import { Desk, tokenOf } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** What a second administrator must approve: asked for where it is refused, approved elsewhere, and then done. */

const second = {
  name: "Meera Joshi",
  email: "meera@approvals.example",
  role: "ADMIN",
  status: "ACTIVE",
}
const password = "two keys 2026!"
const setting = "/admin/settings/second-approval"

/** Another administrator, who has set a password. */
async function openSecond(page: Page, desk: Desk) {
  const [added] = await desk.call<{ _id: string; temporaryPassword: string }[]>(
    "POST",
    "/users/add",
    { users: [second] },
  )
  const logIn = (word: string) => tokenOf(page, { email: second.email, password: word })
  const first = Desk.of(page, await logIn(added?.temporaryPassword ?? ""))
  await first.call("POST", "/auth/reset-password", { password })
  return { desk: Desk.of(page, await logIn(password)), id: added?._id ?? "" }
}

async function takeClients(page: Page) {
  await page.getByRole("button", { name: "Table options: Clients", exact: true }).click()
  await page.getByRole("menuitem", { name: "Download CSV" }).click()
}

test("a download is asked for, approved by a second administrator, and then made", async ({
  page,
  browser,
}) => {
  const desk = await Desk.signIn(page)
  const other = await openSecond(page, desk)
  await desk.call("PUT", setting, { actions: ["EXPORT"] })

  await page.goto("/home/client/details?query=c000")
  await expect(page.getByRole("cell", { name: "C0001", exact: true })).toBeVisible()
  await takeClients(page)
  await page.getByLabel("Note for them").fill("For the yearly audit.")
  await expectNoFaults(page, "the dialog that asks for an approval")
  await page.getByRole("button", { name: "Ask for approval" }).click()
  await expect(page.getByText("The approval was asked for.")).toBeVisible()

  const theirs = await browser.newPage()
  await other.desk.seat(theirs)
  await theirs.goto("/home/dashboard")
  await theirs.getByRole("link", { name: /See Approvals/ }).click()
  await theirs.getByRole("row", { name: /Download of clients/ }).click()
  await expect(theirs.getByText("For the yearly audit.")).toBeVisible()
  await expectNoFaults(theirs, "a request for approval")
  await theirs.getByRole("button", { name: "Approve", exact: true }).click()
  await expect(theirs.getByText("Approved.")).toBeVisible()
  await theirs.close()

  const download = page.waitForEvent("download")
  await takeClients(page)
  expect((await download).suggestedFilename()).toMatch(/^clients-/)

  const fewer = await desk.call<{ _id: string }>("POST", "/admin/approvals", {
    asked: { action: "SETTING", actions: [] },
  })
  await other.desk.call("POST", `/admin/approvals/${fewer._id}/approve`, { answer: "" })
  await desk.call("POST", "/users/delete", { userId: other.id })
})
