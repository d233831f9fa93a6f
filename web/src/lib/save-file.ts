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
