import { screen, waitFor } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { setScreenWidth } from "@/testing/screen-width"
import { hang, refuse, server } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/overlay/toast"
import { ReportButton } from "./report-button"

const path = "/admin/clients/client/id-1/report.pdf"
const saved: string[] = []

beforeEach(() => {
  saved.length = 0
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:here")
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue(undefined)
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
})
afterEach(() => vi.restoreAllMocks())

const answerPdf = () => {
  const tokens: (string | null)[] = []
  server.use(
    http.get(`*/api/v1${path}`, ({ request }) => {
      tokens.push(request.headers.get("Authorization"))
      return new HttpResponse("%PDF-1.7", {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": 'attachment; filename="portfolio-C0001-2026-11-21.pdf"',
        },
      })
    }),
  )
  return tokens
}

test.each([1440, 390])(
  "the report is fetched with the session's token and saved, at %i pixels",
  async (width) => {
    setScreenWidth(width)
    sessionStorage.setItem("token", "token-of-the-test")
    const tokens = answerPdf()
    const { user } = await show(<ReportButton clientId="id-1" />)

    await user.click(screen.getByRole("button", { name: "Portfolio report" }))

    await waitFor(() => expect(saved).toEqual(["portfolio-C0001-2026-11-21.pdf"]))
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
