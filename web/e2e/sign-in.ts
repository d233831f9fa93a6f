import type { Page } from "@playwright/test"

/** The accounts of the demo firm. */
export const staff = {
  ADMIN: { email: "admin@tarazu.example", password: "demo-admin-2026" },
  USER: { email: "user@tarazu.example", password: "demo-user-2026" },
}

/** Fills the log-in form that is on show, and sends it: for journeys that are about the way in. */
export async function logIn(page: Page, role: keyof typeof staff = "ADMIN") {
  await page.getByLabel("Email").fill(staff[role].email)
  await page.getByRole("textbox", { name: "Password" }).fill(staff[role].password)
  await page.getByRole("button", { name: "Log in" }).click()
}
