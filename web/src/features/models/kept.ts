/** What this tab keeps of what is being written, over a reload and an expired session. */

interface Owned {
  /** Who writes it, so that nobody else who signs in here finds it. */
  owner: string
}

const keptAs = (name: string) => `tarazu.${name}`

/** What was kept under this name by this person; null when nothing was, or storage is closed. */
export function readKept(name: string, owner: string): Owned | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keptAs(name)) ?? "null") as Owned | null
    return kept?.owner === owner ? kept : null
  } catch {
    return null
  }
}

export function keep(name: string, draft: Owned & Record<string, unknown>) {
  try {
    sessionStorage.setItem(keptAs(name), JSON.stringify(draft))
  } catch {
    // Without storage the draft lasts until the page is left.
  }
}

export function drop(name: string) {
  try {
    sessionStorage.removeItem(keptAs(name))
  } catch {
    // Storage is closed: there is nothing to drop.
  }
}
