import { http, HttpResponse } from "msw"
import { vi } from "vitest"
import { server } from "./server"

/** The names under which the browser saves files from now on. */
export function watchDownloads() {
  const names: string[] = []
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:here")
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue(undefined)
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  return names
}

/** Answers a call with a file; `name` is the one that the server suggests. Returns the received requests. */
export function answerFile(path: string, name?: string) {
  const requests: Request[] = []
  server.use(
    http.get(`*/api/v1${path}`, ({ request }) => {
      requests.push(request)
      const headers = name && { "Content-Disposition": `attachment; filename="${name}"` }
      return new HttpResponse("%PDF-1.7", { headers: headers || {} })
    }),
  )
  return requests
}
