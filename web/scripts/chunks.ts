import type { Rolldown } from "vite"

type Context = Pick<Rolldown.ChunkingContext, "getModuleInfo">

/** Screens before the sign-in, and those that a link in a letter opens. */
const PUBLIC = /\/src\/routes\/(?!home\/)/

/** Whether a screen that nobody signed in for loads this module at once. */
function isPublic(id: string, context: Context): boolean {
  const users = new Set([id])
  for (const user of users) {
    if (PUBLIC.test(user)) return true
    for (const importer of context.getModuleInfo(user)?.importers ?? []) users.add(importer)
  }
  return false
}

/**
 * How the build lays modules together. A hundred small files wait for each other on a phone's line: what the first
 * page needs is one file, what the screens around the sign-in share is another, and what those behind it share is a
 * third, so that the sign-in does not carry the desk.
 */
export const groups = [
  { name: "start", tags: ["$initial" as const], priority: 3 },
  {
    debugName: "door",
    name: (id: string, context: Context) => (isPublic(id, context) ? "door" : null),
    minShareCount: 4,
    priority: 2,
  },
  {
    debugName: "desk",
    name: (id: string, context: Context) => (isPublic(id, context) ? null : "desk"),
    minShareCount: 4,
    // What is large waits for the screen that shows it.
    maxModuleSize: 8_000,
    priority: 1,
  },
]
