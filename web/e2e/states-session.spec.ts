import { expect } from "@playwright/test"
import { Desk } from "./desk"
import { takeNetwork } from "./network"
import { CODE } from "./screens"
import { logIn } from "./sign-in"
import { test } from "./test"

/** What is typed is never lost: over a session that ends, a server that is away, and another screen in between. */

const expired = "Session expired. Please log in again."

test("a remark that was being written is there after the log-in, and is saved", async ({
  cleanPage: page,
}) => {
  const desk = await Desk.signIn(page, "ADMIN", CODE)
  await page.goto("/home/client/profile")
  const text = `Written before the session ended, ${Date.now()}`
  await page.getByRole("button", { name: "Add remark" }).click()
  await page.getByLabel("New remark").fill(text)
  // Nothing is pressed: the socket tells that the session is over.
  await desk.call("POST", "/auth/logout")
  await expect(page.getByText(expired)).toBeVisible()
  await logIn(page)
  await expect(page).toHaveURL(/\/home\/client\/profile$/)
  await expect(page.getByLabel("New remark")).toHaveValue(text)

  const network = await takeNetwork(page, /\/admin\/remarks$/)
  for (const fate of ["refuse", "cut"] as const) {
    network.fate = fate
    await page.getByRole("button", { name: "Save" }).click()
    const words = fate === "refuse" ? "Something went wrong" : /^Network error/
    await expect(page.getByLabel("Messages").getByText(words)).toBeVisible()
    await expect(page.getByLabel("New remark")).toHaveValue(text)
  }
  network.fate = "pass"
  await page.getByRole("link", { name: "Dashboard" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel("New remark")).toHaveValue(text)
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("list", { name: "Remarks" }).getByText(text)).toHaveCount(1)
})

test(
  "an advice that was being built is there after the log-in",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    const desk = await Desk.signIn(page)
    await page.goto("/home/advice")
    await page.getByLabel("Client code").fill(CODE)
    const target = page.getByLabel(/^Target Allocation of/).first()
    await target.fill("7.25")
    await target.press("Enter")
    await page.getByLabel("Investment Value").fill("1234567")
    await page.getByLabel("Investment Value").press("Tab")
    await desk.call("POST", "/auth/logout")
    await expect(page.getByText(expired)).toBeVisible()
    await logIn(page)
    await expect(page).toHaveURL(/\/home\/advice$/)
    await expect(target).toHaveValue(/7\.25/)
    await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
    await expect(page.getByText("Funds to add", { exact: true })).toBeVisible()
    await expect(page.getByText("₹12,34,567.00").first()).toBeVisible()
    await page.getByRole("button", { name: "Back" }).click()
    await expect(page.getByLabel("Client code")).toHaveValue(CODE)
    await expect(target).toHaveValue(/7\.25/)
    await expect(page.getByLabel("Investment Value")).toHaveValue(/12,34,567/)
  },
)

test(
  "a form that could not be sent keeps what was typed, and goes out once the server is back",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    const desk = await Desk.signIn(page)
    const network = await takeNetwork(page, /\/clients\/add$/)
    await page.goto("/home/client/details?sort=name")
    await page.getByRole("button", { name: "Add New Client" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add New Client" })
    const email = `kept.${Date.now()}@states.example`
    await dialog.getByLabel("Name").fill("Kept Over Faults")
    await dialog.getByLabel("Email").fill(email)
    const submit = dialog.getByRole("button", { name: "Submit" })
    for (const fate of ["refuse", "cut"] as const) {
      network.fate = fate
      await submit.press("Enter")
      await expect(
        page
          .getByLabel("Messages")
          .getByText(/^(Something went wrong|API call failed|Network error)/),
      ).toBeVisible()
      await expect(dialog.getByLabel("Email")).toHaveValue(email)
      // Who works by key is still where they were.
      await expect(submit).toBeFocused()
      await page.getByRole("button", { name: "Dismiss message" }).first().press("Enter")
    }
    network.fate = "pass"
    await submit.press("Enter")
    await expect(dialog).toBeHidden()
    const found = await desk.call<unknown[]>("GET", `/clients?query=${encodeURIComponent(email)}`)
    expect(found).toHaveLength(1)
    await desk.removeClients(email)
  },
)

test(
  "while the server thinks about who is signed in, the screen on show stays",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    await Desk.signIn(page)
    await page.clock.install()
    const network = await takeNetwork(page, /\/auth\/verify-token/)
    await page.goto("/home/fees")
    await expect(page.getByRole("cell", { name: /₹/ }).first()).toBeVisible()
    await page.clock.fastForward(6 * 60_000)
    network.fate = "wait"
    await page.getByRole("link", { name: "Settings" }).click()
    await page.clock.fastForward(3_000)
    await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible()
    await page.clock.fastForward(31_000)
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible()
  },
)
