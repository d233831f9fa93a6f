import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { candidate, model, modelRow, subscriber } from "@/testing/models"
import { answer, answerBy } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

beforeEach(() => {
  signedIn()
  answer("get", "/admin/models/:id", model())
})

const path = "/admin/models/:id/subscribers"
const open = async () => {
  answer("get", path, [subscriber()], pageOf(1))
  const app = await showApp("/home/models/model-1?tab=subscribers", { role: "ADMIN" })
  await screen.findByRole("row", { name: /Asha Rao/ })
  return app
}

test("subscribers are added by pasted codes; one that follows another model is named", async () => {
  const { user } = await open()
  const known = [
    candidate(),
    candidate({ _id: "id-7", clientId: "C0007", name: "Om Jha" }),
    candidate({ _id: "id-8", clientId: "C0008", modelId: "model-2", modelName: "Income" }),
  ]
  answerBy("get", "/admin/models/candidates", ({ search }) => ({
    success: true,
    message: null,
    data: known.filter(({ clientId }) => clientId.includes(search.get("query") ?? "")),
  }))
  const put = answer("put", path, modelRow())
  await user.click(screen.getByRole("button", { name: "Add subscribers" }))
  const dialog = within(await screen.findByRole("dialog", { name: /^Add subscribers/ }))
  await dialog.findByText("Om Jha")

  await user.click(dialog.getByLabelText("Search clients"))
  await user.paste("C0004\nC0007\nC0008")

  expect(await dialog.findByText(/^Not added .*: C0008$/)).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Add 2" }))
  await waitFor(() => expect(put).toHaveLength(1))
  expect(put[0]?.body).toEqual({
    add: [
      { clientId: "id-4", investmentValue: null },
      { clientId: "id-7", investmentValue: null },
    ],
    remove: [],
  })
})

test("subscribers follow with all they have or with a value", async () => {
  const { user } = await open()
  const put = answer("put", path, modelRow())
  await user.choose("Actions for Asha Rao", "Change the value followed")
  const dialog = within(await screen.findByRole("dialog", { name: /Asha Rao$/ }))

  await user.click(dialog.getByLabelText("A fixed value"))
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(dialog.getByText("Please enter a valid amount")).toBeVisible()
  await user.fill(dialog.getByLabelText("Value"), "2500000")
  await user.keyboard("{Enter}")

  await waitFor(() =>
    expect(put[0]?.body).toEqual({
      add: [{ clientId: "id-1", investmentValue: 2_500_000 }],
      remove: [],
    }),
  )
})

test("subscribers are removed after a question", async () => {
  const { user } = await open()
  const put = answer("put", path, modelRow())

  await user.choose("Actions for Asha Rao", "Remove")
  await user.click(await screen.findByRole("button", { name: "Remove" }))

  await waitFor(() => expect(put[0]?.body).toEqual({ add: [], remove: ["id-1"] }))
})
