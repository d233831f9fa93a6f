import { screen, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { setScreenWidth } from "@/testing/screen-width"
import { hang, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"
import { ReportButton } from "./report-button"

const path = "/admin/clients/client/id-1/report.pdf"
const name = "portfolio-C0001-2026-11-21.pdf"
let saved: string[]

beforeEach(() => {
  saved = watchDownloads()
})
afterEach(() => vi.restoreAllMocks())

test.each([1440, 390])(
  "the report is fetched with the session's token and saved, at %i pixels",
  async (width) => {
    setScreenWidth(width)
    sessionStorage.setItem("token", "token-of-the-test")
    const requests = answerFile(path, name)
    const { user } = await show(<ReportButton clientId="id-1" />)

    await user.click(screen.getByRole("button", { name: "Portfolio report" }))

    await waitFor(() => expect(saved).toEqual([name]))
    const tokens = requests.map(({ headers }) => headers.get("Authorization"))
    expect(tokens).toEqual(["Bearer token-of-the-test"])
  },
)

test("while it is made the button is busy", async () => {
  hang("get", path)
  const { user } = await show(<ReportButton clientId="id-1" />)

  await user.click(screen.getByRole("button", { name: "Portfolio report" }))

  expect(screen.getByRole("button", { name: "Portfolio report" })).toHaveAttribute("data-loading")
})

test("a refusal shows the server's message", async () => {
  refuse("get", path, 404, "Client not found")
  const { user } = await show(<ReportButton clientId="id-1" />)

  await user.click(screen.getByRole("button", { name: "Portfolio report" }))

  await waitFor(() => expect(toasts.get().at(-1)?.message).toBe("Client not found"))
  expect(saved).toEqual([])
})
