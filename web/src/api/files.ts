import type { NamedFile } from "@/lib/save-file"
import { offerApproval } from "./approval"
import { ApiError, answerOf, messageOf } from "./client"

/** The file formats of a table. */
export type SheetFormat = "csv" | "xlsx"

/** The result of a file call with `parseAs: "blob"`. */
interface FileAnswer {
  data?: Blob
  error?: unknown
  response: Response
}

const fileName = /filename="([^"]+)"/

/**
 * The file of a call (made with `parseAs: "blob"`), with the server's file name.
 * The message of what it throws can be shown on the screen; where an approval is needed, it is offered to ask for it.
 */
export async function fileOf(call: Promise<FileAnswer>): Promise<NamedFile> {
  try {
    const { response, ...answer } = await call
    const content = await answerOf(Promise.resolve({ ...answer, response }))
    const name = fileName.exec(response.headers.get("Content-Disposition") ?? "")?.[1]
    return { content, name: name ?? "download" }
  } catch (error) {
    offerApproval(error)
    if (error instanceof ApiError && error.message !== "") throw error
    throw new Error(messageOf(error, "The file could not be created."), { cause: error })
  }
}
