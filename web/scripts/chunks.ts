import type { Rolldown } from "vite"

type Context = Pick<Rolldown.ChunkingContext, "getModuleInfo">

/** A screen behind the sign-in, and the frame around all of them. */
const HOME = /\/src\/routes\/home\//
const FRAME = /\/src\/routes\/home\/route\.tsx/
const SCREEN = /\/src\/routes\//

/** So many screens behind the sign-in share what is in their common file. */
const MANY = 10

/** The screens that need a module at once, not only when something is opened. */
function screensOf(id: string, context: Context): string[] {
  const users = new Set([id])
  for (const user of users)
    for (const importer of context.getModuleInfo(user)?.importers ?? []) users.add(importer)
  return [...users].filter((user) => SCREEN.test(user))
}

function isDoor(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  const outside = screens.filter((screen) => !HOME.test(screen)).length
  return outside > 0 && screens.length > 1
}

function isDesk(id: string, context: Context): boolean {
  const screens = screensOf(id, context)
  return screens.length >= MANY || screens.some((screen) => FRAME.test(screen))
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
    name: (id: string, context: Context) => (isDoor(id, context) ? "door" : null),
    priority: 2,
  },
  {
    debugName: "desk",
    name: (id: string, context: Context) => (isDesk(id, context) ? "desk" : null),
    priority: 1,
  },
]
