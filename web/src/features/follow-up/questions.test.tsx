import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { expectFetchStates } from "@/testing/fetch-states"
import { question } from "@/testing/follow-up"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"

const path = "/admin/follow-up/questions"
const replyPath = `${path}/question-1/reply`
const answered = question({
  reply: "Its weight is above the target.",
  repliedAt: "2026-11-20T08:00:00Z",
  repliedBy: "Kavita Rao",
})

async function open(role: "ADMIN" | "USER" = "ADMIN", rows = [question()]) {
  signedIn(role)
  const calls = answer("get", path, rows, pageOf(rows.length))
  const shown = await showApp("/home/follow-up/questions", { role })
  await shown.user.click(
    await screen.findByRole("button", { name: "Show details of the question of Asha Rao" }),
  )
  return { calls, ...shown }
}

test("a question has its client, time and advice, and opens to the text", async () => {
  await open()

  const row = screen.getByRole("row", { name: /Asha Rao/ })
  expect(row).toHaveTextContent("20/11/2026 11:30 IST")
  expect(row).toHaveTextContent("19/11/2026")
  expect(row).toHaveTextContent("Not answered")
  expect(screen.getAllByText("Why sell ITC now?")).toHaveLength(2)
})

test("an answer is mailed, and stays with the question", async () => {
  const { user } = await open()
  const sent = answer("post", replyPath, answered, { message: "The answer is being mailed." })

  await user.click(screen.getByRole("button", { name: "Send answer" }))
  expect(screen.getByText("Enter an answer.")).toBeVisible()
  expect(sent).toHaveLength(0)
  await user.fill(screen.getByLabelText("Your answer"), " Its weight is above the target. ")
  answer("get", path, [answered], pageOf(1))
  await user.click(screen.getByRole("button", { name: "Send answer" }))

  expect(
    await screen.findByText("Answered by mail 20/11/2026 13:30 IST by Kavita Rao"),
  ).toBeVisible()
  expect(screen.getByText("Its weight is above the target.")).toBeVisible()
  expect(sent[0]?.body).toEqual({ text: "Its weight is above the target." })
  expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  expect(toastMessages()).toEqual(["The answer is being mailed."])
})

test("a refused answer keeps what was typed and says why", async () => {
  const { user } = await open()
  refuse("post", replyPath, 409, "This question was answered before.")

  await user.fill(screen.getByLabelText("Your answer"), "Too late")
  await user.click(screen.getByRole("button", { name: "Send answer" }))

  expect(await screen.findByText("This question was answered before.")).toBeVisible()
  expect(screen.getByLabelText("Your answer")).toHaveValue("Too late")
})

test("a USER reads questions and answers, and does not answer", async () => {
  await open("USER")

  expect(screen.getByText("Not answered yet. An administrator can answer.")).toBeVisible()
  expect(screen.queryByLabelText("Your answer")).toBeNull()
})

test("those without an answer can be shown alone", async () => {
  const { user, calls } = await open()

  const choice = within(screen.getByRole("group", { name: "Show questions" }))
  await user.click(choice.getByRole("button", { name: "Not answered" }))

  await waitFor(() => expect(calls.at(-1)?.search.get("isAnswered")).toBe("false"))
})

test("loading, failure and no question at all have their messages, with a next step", async () => {
  signedIn("USER")
  await expectFetchStates(path, {
    open: () => showApp("/home/follow-up/questions", { role: "USER" }),
    data: [],
    more: pageOf(0),
    shows: "Questions that clients ask on their page appear here.",
  })
  expect(screen.getByRole("button", { name: "Go to Follow-up" })).toBeVisible()
})
