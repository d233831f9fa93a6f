import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { report as tellProgress } from "@/live/progress"
import { chooseFile, enveloped, importPath, reportOf, sentField } from "@/testing/imports"
import { answer, answerBy } from "@/testing/server"
import { toastMessages } from "@/testing/toasts"

test("a long import shows its progress, from the server and then from the socket", async () => {
  const running = reportOf({ state: "RUNNING", step: "Checking", done: 1200, total: 6000 })
  answer("post", importPath, running)
  let isDone = false
  answerBy("get", "/admin/imports/import-1", () => enveloped(isDone ? reportOf() : running))
  await chooseFile("holdings", "id-1")
  const bar = await screen.findByRole("progressbar")
  expect(bar).toHaveAttribute("aria-valuenow", "1200")

  tellProgress({ id: "import-1", step: "Checking", done: 4800, total: 6000, state: "RUNNING" })

  expect(await screen.findByText("4,800 of 6,000")).toBeVisible()
  isDone = true
  expect(await screen.findByRole("button", { name: "Apply" }, { timeout: 3000 })).toBeEnabled()
})

test("an import that continues after the dialog is closed reports in a toast", async () => {
  const running = reportOf({ state: "RUNNING", step: "Applying", isDryRun: false })
  answerBy("post", importPath, (call) =>
    enveloped(sentField(call.body, "dryRun") === "true" ? reportOf() : running),
  )
  answer(
    "get",
    "/admin/imports/import-1",
    reportOf({ state: "APPLIED", isDryRun: false, message: "3 changed." }),
  )
  const { user, unmount } = await chooseFile("holdings", "id-1")
  await user.click(await screen.findByRole("button", { name: "Apply" }))
  await screen.findByRole("progressbar")

  unmount()

  await waitFor(() => expect(toastMessages()).toEqual(["3 changed."]), {
    timeout: 3000,
  })
})

test("a failed import says why", async () => {
  answer(
    "post",
    importPath,
    reportOf({ state: "FAILED", canApply: false, message: "The server was stopped." }),
  )

  await chooseFile("holdings", "id-1")

  expect(await screen.findByText("The server was stopped.")).toBeVisible()
  expect(screen.queryByRole("button", { name: "Apply" })).toBeNull()
  expect(screen.getByRole("button", { name: "Choose another file" })).toBeVisible()
})
