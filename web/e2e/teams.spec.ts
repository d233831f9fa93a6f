import { expect } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** Access by team, from the first team to what a USER of it sees; the firm is as before at the end. */

const names = ["Tara Northwind", "Arun Southwind"]

test(
  "a team is made, gets a client, and its USER sees that client alone",
  { tag: "@long" },
  async ({ page, browser }) => {
    const desk = await Desk.signIn(page)
    const [seen, unseen] = await desk.addClients(...names)

    await page.goto("/home/settings?section=teams")
    await page.getByRole("button", { name: "Add team" }).click()
    const dialog = page.getByRole("dialog", { name: "Add team" })
    await dialog.getByLabel("Name").fill("Wind")
    await dialog.getByRole("checkbox", { name: "Ravi Deshmukh" }).check()
    await expectNoFaults(page, "the dialog of a team")
    await dialog.getByRole("button", { name: "Save" }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole("switch").click()
    await expect(page.getByRole("switch")).toBeChecked()
    await expectNoFaults(page, "the teams")

    await page.goto("/home/client/details?query=northwind")
    await page.getByRole("checkbox", { name: "Choose Tara Northwind" }).check()
    await page.getByRole("button", { name: "Move to team" }).click()
    await page.getByRole("dialog").getByLabel("Team").selectOption("Wind")
    await page.getByRole("button", { name: "Move", exact: true }).click()
    await expect(page.getByRole("dialog")).toBeHidden()

    const theirs = await browser.newPage()
    const user = await Desk.signIn(theirs, "USER")
    await theirs.goto("/home/dashboard")
    await expect(theirs.getByText("These figures are of the clients of Wind")).toBeVisible()
    const screens = theirs.getByRole("navigation", { name: "Screens" })
    await expect(screens.getByRole("link", { name: "Readiness" })).toBeVisible()
    await expect(screens.getByRole("link", { name: "Corporate actions" })).toHaveCount(0)
    await theirs.goto("/home/client/details")
    await expect(theirs.getByRole("cell", { name: seen?.code, exact: true })).toBeVisible()
    await expect(theirs.getByRole("checkbox", { name: /^Choose / })).toHaveCount(1)
    await expectNoFaults(theirs, "the clients of a team")
    await expect(user.call("GET", `/admin/clients/client/${unseen?.id}/profile`)).rejects.toThrow(
      "404",
    )
    await theirs.close()

    await page.goto("/home/settings?section=teams")
    await page.getByRole("switch").click()
    await expect(page.getByRole("switch")).not.toBeChecked()
    await desk.call("PUT", "/admin/teams/clients", { clients: [seen?.id], teamId: null })
    await page.reload()
    await page.getByRole("button", { name: "Remove Wind" }).click()
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await expect(page.getByText("No teams")).toBeVisible()
    for (const name of names) await desk.removeClients(name)
  },
)
