import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"

const north = {
  id: "team-1",
  name: "North",
  members: ["user-1"],
  memberNames: ["Ravi Deshmukh"],
  clients: 2,
  version: 3,
}
const shown = { isOn: false, version: 1, teams: [north], withoutTeam: 4 }

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
  answer("get", "/admin/teams", shown)
})

const open = () => showApp("/home/settings?section=teams", { role: "ADMIN" })

test("a team is edited with its members and the version that was seen", async () => {
  answer("get", "/users", [
    { _id: "user-1", name: "Ravi Deshmukh", role: "USER" },
    { _id: "user-2", name: "Meera Iyer", role: "ADMIN" },
  ])
  const calls = answer("put", "/admin/teams/:id", shown, { message: "Team saved." })
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Edit North" }))
  const dialog = await screen.findByRole("dialog")
  expect(await within(dialog).findByLabelText("Ravi Deshmukh")).toBeChecked()
  await user.click(within(dialog).getByLabelText("Meera Iyer"))
  await user.click(within(dialog).getByRole("button", { name: "Save" }))

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
  expect(calls[0]!.body).toEqual({ name: "North", members: ["user-1", "user-2"], version: 3 })
  expect(toastMessages()).toContain("Team saved.")
})

test("access by team is turned on with the version that was seen", async () => {
  const calls = answer("put", "/settings/team-access", { ...shown, isOn: true, version: 2 })
  const { user } = await open()

  const turn = await screen.findByRole("switch", {
    name: /^Users see only the clients of their own teams/,
  })
  expect(turn).not.toBeChecked()
  await user.click(turn)

  await waitFor(() => expect(turn).toBeChecked())
  expect(calls[0]!.body).toEqual({ isOn: true, version: 1 })
})
