import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { RemindersCard } from "./reminders-card"

const path = "/admin/clients/client/id-1/reminders"
const label = "Remind this client of open advice"

test("a client's reminders are switched off and stay so", async () => {
  answer("get", path, { enabled: true, isFirmOn: true })
  const sent = answer("put", path, { enabled: false, isFirmOn: true }, { message: "Saved." })
  const { user } = await show(<RemindersCard clientId="id-1" />)
  expect(await screen.findByLabelText(label)).toBeChecked()

  await user.click(screen.getByLabelText(label))

  await waitFor(() => expect(toastMessages()).toEqual(["Saved."]))
  expect(sent[0]?.body).toEqual({ enabled: false })
  expect(screen.getByLabelText(label)).not.toBeChecked()
})

test("where the firm sends none, the card says where that is set", async () => {
  answer("get", path, { enabled: true, isFirmOn: false })
  await show(<RemindersCard clientId="id-1" />)

  expect(
    await screen.findByText("Reminders are switched off for the firm: Settings, Follow-up."),
  ).toBeVisible()
})

test("a refused change goes back and says why", async () => {
  answer("get", path, { enabled: true, isFirmOn: true })
  refuse("put", path, 404, "Client not found")
  const { user } = await show(<RemindersCard clientId="id-1" />)

  await user.click(await screen.findByLabelText(label))

  await waitFor(() => expect(toastMessages()).toEqual(["Client not found"]))
  expect(screen.getByLabelText(label)).toBeChecked()
})
