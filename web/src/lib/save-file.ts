/** A file that was fetched, and the name that it is saved under. */
export interface NamedFile {
  content: Blob
  name: string
}

/** Hands a file that was fetched with the session's token to the browser, to be saved under this name. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  // The browser has taken the address by the next turn of the loop.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
