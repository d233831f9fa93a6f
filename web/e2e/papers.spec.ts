import { expect } from "@playwright/test"
import { openOutside } from "./at-brokers"
import { actedAdvice, formTo, openAdvice } from "./client-page"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** Papers of a client: a consent is withdrawn and given again on the client's page, without a script, and staff see both. */

test(
  "a consent that is given on the client's page is in the Papers tab",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.open(page)
    const { code, id, email } = await actedAdvice(desk)
    const { url } = await desk.call<{ url: string }>("POST", `/admin/advice/${id}/link`)
    const client = await openOutside(context, { javaScriptEnabled: false })
    await openAdvice(client, url, email)
    const data = formTo(client, "withdraw").filter({
      has: client.locator('input[name="kind"][value="DATA"]'),
    })
    await data.getByRole("button").click()
    await expect(client.getByRole("status")).toHaveText("Recorded: you withdrew your consent.")

    await Desk.signIn(page, "USER", code)
    await page.goto("/home/client/papers")
    const consents = page.getByRole("region", { name: "Consents", exact: true })
    const row = consents.getByRole("row", { name: /Personal data/ })
    await expect(row).toContainText("Withdrawn")
    await expectNoFaults(page, "the Papers tab")

    await client.getByRole("button", { name: /I agree: Use of your personal data/ }).click()
    await expect(client.getByRole("status")).toHaveText("Recorded: you agreed.")
    await page.reload()
    await expect(row).toContainText("Given")
    await expect(row).toContainText("Client's page, English")
    const history = page.getByRole("region", { name: "History of consents", exact: true })
    await expect(history.getByRole("row", { name: /Personal data/ })).toHaveCount(2)
    await client.context().close()
  },
)
