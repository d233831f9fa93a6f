import { act, render, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Providers } from "@/app/providers"
import { createQueryClient } from "@/app/query-client"
import { toast, toastCentre } from "./toast"

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  render(
    <Providers queryClient={createQueryClient()} env="test">
      {null}
    </Providers>,
  )
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

test("a toast at the right goes after 5 seconds, one at the centre after 3", () => {
  act(() => {
    toast.success("Client created successfully")
    toastCentre.info("No holdings found for C1001.")
  })

  pass(2900)
  expect(screen.getByText("No holdings found for C1001.")).toBeVisible()
  pass(200)
  expect(screen.queryByText("No holdings found for C1001.")).not.toBeInTheDocument()
  expect(screen.getByText("Client created successfully")).toBeVisible()
  pass(2000)
  expect(screen.queryByText("Client created successfully")).not.toBeInTheDocument()
})

test("errors are announced at once, the rest politely", () => {
  act(() => {
    toast.error("Failed to fetch data")
    toast.success("Saved")
  })

  expect(screen.getByText("Failed to fetch data").closest("[aria-live]")).toHaveAttribute(
    "aria-live",
    "assertive",
  )
  expect(screen.getByText("Saved").closest("[aria-live]")).toHaveAttribute("aria-live", "polite")
})

test("the same message merges, and at most three stand", () => {
  act(() => {
    toast.error("Failed to fetch data")
    toast.error("Failed to fetch data")
  })
  expect(screen.getByText("Failed to fetch data")).toHaveTextContent("×2")

  act(() => ["one", "two", "three", "four"].forEach((each) => toast.info(each)))
  expect(screen.getAllByRole("button", { name: "Dismiss message" })).toHaveLength(3)
  expect(screen.queryByText("one")).not.toBeInTheDocument()
})

test("a toast under the pointer stays, and can be undone", async () => {
  const undo = vi.fn()
  const user = userEvent.setup({ advanceTimers: (by) => vi.advanceTimersByTime(by) })
  act(() => toast.success("Client set inactive", { undo }))

  await user.hover(screen.getByText("Client set inactive"))
  pass(20_000)
  expect(screen.getByText("Client set inactive")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Undo" }))

  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByText("Client set inactive")).not.toBeInTheDocument()
})
