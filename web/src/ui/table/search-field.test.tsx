import { act, fireEvent, screen } from "@testing-library/react"
import { useState } from "react"
import { expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { SearchField } from "./search-field"

test("Escape clears at once", async () => {
  const onSearch = vi.fn()
  const { user } = await show(
    <SearchField label="Search clients" value="asha" onSearch={onSearch} />,
  )

  await user.type(screen.getByRole("searchbox"), "{Escape}")

  expect(screen.getByRole("searchbox")).toHaveValue("")
  expect(onSearch.mock.calls).toEqual([[""]])
})

test("it turns while it looks", async () => {
  await show(
    <SearchField label="Search clients" value="a" onSearch={() => undefined} isSearching />,
  )

  expect(screen.getByRole("status", { name: "Searching" })).toBeVisible()
})

test("a screen that rerenders during the typing delay does not lose the search", async () => {
  const asked: string[] = []
  function Screen() {
    const [drawn, setDrawn] = useState(1)
    return (
      <>
        <button onClick={() => setDrawn(2)}>Rerender</button>
        <SearchField
          label="Search clients"
          value=""
          onSearch={(query) => asked.push(`${query}, screen ${drawn}`)}
        />
      </>
    )
  }
  await show(<Screen />)

  vi.useFakeTimers()
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "asha" } })
  fireEvent.click(screen.getByRole("button", { name: "Rerender" }))
  act(() => void vi.advanceTimersByTime(300))

  expect(asked).toEqual(["asha, screen 2"])
})
