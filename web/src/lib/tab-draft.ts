/** Drafts in this tab's session storage: they survive a reload and an expired session. */

const storageKey = (name: string) => `tarazu.${name}`

/** The draft under this name; null when there is none, or storage is closed. */
export function readTabDraft(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "null")
  } catch {
    return null
  }
}

/** Saves a draft; null removes it. Without storage it lasts until the page is left. */
export function saveTabDraft(name: string, draft: object | null) {
  try {
    if (draft === null) sessionStorage.removeItem(storageKey(name))
    else sessionStorage.setItem(storageKey(name), JSON.stringify(draft))
  } catch {
    // Storage is full or closed.
  }
}

interface Owned {
  /** Whoever else signs in in this tab does not see it. */
  owner: string
}

/** The draft under this name, if this person wrote it. */
export function readOwnDraft(name: string, owner: string): Owned | null {
  const draft = readTabDraft(name) as Owned | null
  return draft?.owner === owner ? draft : null
}
