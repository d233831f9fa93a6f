import { act, render, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { useState } from "react"
import { expect, test } from "vitest"
import { lazyComponent } from "./lazy-component"

function Note({ label }: { label: string }) {
  const [text, setText] = useState("")
  return <input aria-label={label} value={text} onChange={(event) => setText(event.target.value)} />
}

test("what opens later is replaced by its code once that is there, and keeps what was typed", async () => {
  let arrive: () => void = () => undefined
  const arriving = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const LazyNote = lazyComponent<{ label: string }>(
    async () => {
      await arriving
      return { default: Note }
    },
    () => <p>One moment</p>,
  )
  const { rerender } = render(<LazyNote label="Remark" />)
  expect(screen.getByText("One moment")).toBeVisible()

  await act(async () => {
    arrive()
    await arriving
  })
  await userEvent.type(await screen.findByLabelText("Remark"), "hold")
  rerender(<LazyNote label="Note" />)

  expect(screen.getByLabelText("Note")).toHaveValue("hold")
  expect(screen.queryByText("One moment")).not.toBeInTheDocument()
})
