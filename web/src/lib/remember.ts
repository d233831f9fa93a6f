/** Reads what this browser remembers under `tarazu.<name>`; null when nothing, or storage is closed. */
export function recall(name: string): unknown {
  try {
    const text = localStorage.getItem(`tarazu.${name}`)
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

/** Keeps a choice on this device; a full or closed storage only means it is asked again. */
export function remember(name: string, value: unknown) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(`tarazu.${name}`)
    else localStorage.setItem(`tarazu.${name}`, JSON.stringify(value))
  } catch {
    // The choice lasts until the page is closed.
  }
}
