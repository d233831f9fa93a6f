import { screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { setScreenWidth } from "@/testing/screen-width"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"

test("in a window below 1024 pixels the sidebar is folded until it is unfolded there", async () => {
  setScreenWidth(900)
  signedIn()
  ownSettingsAnswered()
  const { user } = await showApp("/home/settings", { role: "ADMIN" })

  await user.click(screen.getByRole("button", { name: "Expand sidebar" }))

  expect(screen.getByRole("link", { name: "Dashboard" })).toHaveTextContent("Dashboard")
  expect(localStorage.getItem("sidebar-narrow")).toBeNull()
})
