import type { NamedFile } from "@/lib/save-file"
import { ApiError, answerOf, messageOf } from "./client"

/** How a table may be taken away. */
export type SheetFormat = "csv" | "xlsx"

/** What `parseAs: "blob"` makes of a call that answers a file. */
interface FileAnswer {
  data?: Blob
  error?: unknown
  response: Response
}

const named = /filename="([^"]+)"/

/**
 * The file that a call answers (ask with `parseAs: "blob"`), under the name that the server gives it.
 * What it throws has a message fit for the screen.
 */
export async function fileOf(call: Promise<FileAnswer>): Promise<NamedFile> {
  try {
    const { response, ...answer } = await call
    const content = await answerOf(Promise.resolve({ ...answer, response }))
    const name = named.exec(response.headers.get("Content-Disposition") ?? "")?.[1]
    return { content, name: name ?? "download" }
  } catch (error) {
    if (error instanceof ApiError && error.message !== "") throw error
    throw new Error(messageOf(error, "The file could not be made."), { cause: error })
  }
}
