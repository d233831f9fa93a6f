import { screen } from "@testing-library/react"
import { act } from "react"
import { expect, test } from "vitest"
import { show } from "@/testing/show"
import { confirm } from "./confirm"

async function ask() {
  const shown = await show(<p>The screen</p>)
  let answer: Promise<boolean> = Promise.resolve(false)
  act(() => {
    answer = confirm({ title: "Delete client?", text: "C1007 leaves the list.", isDanger: true })
  })
  await screen.findByRole("dialog", { name: "Delete client?" })
  return { ...shown, answer }
}

test("OK goes on", async () => {
  const { user, answer } = await ask()

  await user.click(screen.getByRole("button", { name: "OK" }))

  expect(await answer).toBe(true)
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
})

test.each([
  [
    "Cancel",
    (user: { click: (what: Element) => Promise<void> }) =>
      user.click(screen.getByRole("button", { name: "Cancel" })),
  ],
  ["Escape", (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard("{Escape}")],
])("%s stops", async (_, stop) => {
  const { user, answer } = await ask()

  await stop(user)

  expect(await answer).toBe(false)
})
