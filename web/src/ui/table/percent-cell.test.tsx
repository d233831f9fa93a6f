import { screen } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { PercentCell } from "./percent-cell"

const cell = () => screen.getByRole("textbox", { name: "Target of INFY" })

test("Enter commits what was typed", async () => {
  const onCommit = vi.fn(() => true)
  const { user } = await show(<PercentCell label="Target of INFY" value={8} onCommit={onCommit} />)

  await user.clear(cell())
  await user.type(cell(), "7.25{Enter}")

  expect(onCommit.mock.calls).toEqual([[7.25]])
})

test("Escape undoes, and nothing is committed", async () => {
  const onCommit = vi.fn(() => true)
  const { user } = await show(<PercentCell label="Target of INFY" value={8} onCommit={onCommit} />)

  await user.clear(cell())
  await user.type(cell(), "7{Escape}")
  await user.tab()

  expect(cell()).toHaveValue("8.00%")
  expect(onCommit).not.toHaveBeenCalled()
})

test("a refused value returns to the last good one", async () => {
  const { user } = await show(
    <PercentCell label="Target of INFY" value={8} onCommit={() => false} />,
  )

  await user.clear(cell())
  await user.type(cell(), "99")
  await user.tab()

  expect(cell()).toHaveValue("8.00%")
})
